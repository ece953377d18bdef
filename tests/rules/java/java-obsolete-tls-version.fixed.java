package org.example.http;

import javax.net.ssl.SSLContext;

class Contexts {
    void make() throws Exception {
        // ruleid: java-obsolete-tls-version
        SSLContext old = SSLContext.getInstance("TLS");
        // ruleid: java-obsolete-tls-version
        SSLContext older = SSLContext.getInstance("TLS", "SunJSSE");
        // ok: java-obsolete-tls-version
        SSLContext usual = SSLContext.getInstance("TLS");
        // ok: java-obsolete-tls-version
        SSLContext newest = SSLContext.getInstance("TLSv1.3");
    }
}
