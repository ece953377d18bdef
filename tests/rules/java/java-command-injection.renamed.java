package org.example.tools;

import javax.servlet.http.*;

class Tools {
    static String clean(String given) {
        return given;
    }

    static boolean isHost(String given) {
        return true;
    }

    void ping(HttpServletRequest request) throws IOException {
        String host = request.getParameter("host");
        // ruleid: java-command-injection
        Runtime.getRuntime().exec("ping " + clean(host));
        if (isHost(host)) {
            // ruleid: java-command-injection
            Runtime.getRuntime().exec("ping " + host);
        }
    }
}
