package org.example.crypto;

import java.security.SecureRandom;
import javax.crypto.spec.*;

class Sealer {
    private static final byte[] FIXED = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    private final SecureRandom random = new SecureRandom();

    void seal(byte[] received) {
        // ruleid: java-static-iv
        IvParameterSpec text = new IvParameterSpec("0123456789abcdef".getBytes(StandardCharsets.UTF_8));
        // ruleid: java-static-iv
        IvParameterSpec zeros = new IvParameterSpec(new byte[16]);
        // ruleid: java-static-iv
        IvParameterSpec constant = new IvParameterSpec(FIXED);

        byte[] nonce = new byte[12];
        random.nextBytes(nonce);
        // ok: java-static-iv
        GCMParameterSpec fresh = new GCMParameterSpec(128, nonce);
        // ok: java-static-iv
        IvParameterSpec sent = new IvParameterSpec(received);
    }
}
