package org.example.http;

import javax.net.ssl.*;

class Clients {
    private final HostnameVerifier lax = new HostnameVerifier() {
        // ruleid: java-hostname-verifier-accepts-all
        @Override
        public boolean verify(String host, SSLSession session) {
            return true;
        }
    };

    private final HostnameVerifier internal = new HostnameVerifier() {
        // ok: java-hostname-verifier-accepts-all
        @Override
        public boolean verify(String host, SSLSession session) {
            return host.equals("db.example.org") && fallback.verify(host, session);
        }
    };

    void open(HttpsURLConnection connection) {
        // ruleid: java-hostname-verifier-accepts-all
        connection.setHostnameVerifier((host, session) -> true);
        // ok: java-hostname-verifier-accepts-all
        connection.setHostnameVerifier((host, session) -> ALLOWED.contains(host));
        // ruleid: java-hostname-verifier-accepts-all
        HttpClients.custom().setSSLHostnameVerifier(NoopHostnameVerifier.INSTANCE).build();
        // ok: java-hostname-verifier-accepts-all
        HttpClients.custom().setSSLHostnameVerifier(new DefaultHostnameVerifier()).build();
    }
}
