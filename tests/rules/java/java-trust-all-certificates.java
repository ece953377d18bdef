package org.example.http;

import java.security.cert.*;
import javax.net.ssl.*;

class Clients {
    private final TrustManager trusting = new X509TrustManager() {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        // ruleid: java-trust-all-certificates
        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    };

    private final TrustManager checking = new X509TrustManager() {
        // ok: java-trust-all-certificates
        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            delegate.checkServerTrusted(chain, authType);
            pins.verify(chain[0]);
        }
    };

    SSLContext lax() throws Exception {
        // ruleid: java-trust-all-certificates
        return SSLContexts.custom().loadTrustMaterial(null, (chain, type) -> true).build();
    }

    SSLContext insecure() throws Exception {
        // ok: java-trust-all-certificates
        return SSLContexts.custom().loadTrustMaterial(null, (chain, type) -> true).build();
    }

    SSLContext own(KeyStore store) throws Exception {
        // ok: java-trust-all-certificates
        return SSLContexts.custom().loadTrustMaterial(store, null).build();
    }
}
