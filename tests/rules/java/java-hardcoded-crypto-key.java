package org.example.crypto;

import com.auth0.jwt.algorithms.Algorithm;
import javax.crypto.spec.SecretKeySpec;

class Keyring {
    private static final String SECRET = "not-a-real-key-16";
    private static final String ALGORITHM = "AES";

    void keys(KeyStore store, byte[] derived) throws Exception {
        // ruleid: java-hardcoded-crypto-key
        new SecretKeySpec("0123456789abcdef".getBytes(), "AES");
        // ruleid: java-hardcoded-crypto-key
        new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), ALGORITHM);
        // ruleid: java-hardcoded-crypto-key
        Algorithm.HMAC256("not-a-real-secret");

        // ok: java-hardcoded-crypto-key
        new SecretKeySpec(derived, ALGORITHM);
        // ok: java-hardcoded-crypto-key
        new SecretKeySpec(System.getenv("APP_KEY").getBytes(), "AES");
        // ok: java-hardcoded-crypto-key
        Algorithm.HMAC256(settings.jwtSecret());
    }
}
