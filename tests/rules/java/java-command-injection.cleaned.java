package org.example.tools;

import javax.servlet.http.*;

class Tools {
    static String clean(String given) {
        return given.replaceAll("[^a-z]", "");
    }

    static boolean isHost(String given) {
        return HOSTS.contains(given);
    }

    boolean isReady() {
        return true;
    }

    void ping(HttpServletRequest request) throws IOException {
        String host = request.getParameter("host");
        // ok: java-command-injection
        Runtime.getRuntime().exec("ping " + clean(host));
        if (isHost(host)) {
            // ok: java-command-injection
            Runtime.getRuntime().exec("ping " + host);
        }
    }
}
