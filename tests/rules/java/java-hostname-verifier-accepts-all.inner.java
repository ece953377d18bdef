package org.example.http;

import java.net.URL;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSession;

class Downloads {
    HttpsURLConnection open(URL url) throws Exception {
        HttpsURLConnection connection = (HttpsURLConnection) url.openConnection();
        connection.setHostnameVerifier(new HostnameVerifier() {
            // ruleid: java-hostname-verifier-accepts-all
            public boolean verify(String host, SSLSession session) {
                return true;
            }
        });
        return connection;
    }
}
