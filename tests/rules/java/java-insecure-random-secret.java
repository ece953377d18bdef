package org.example.users;

import java.security.SecureRandom;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

class Tokens {
    private final Random random = new Random();

    void reset(SecureRandom secure) {
        // ruleid: java-insecure-random-secret
        String resetToken = Long.toHexString(random.nextLong());
        // ruleid: java-insecure-random-secret
        int otp = ThreadLocalRandom.current().nextInt(100000, 999999);
        byte[] salt = new byte[16];
        // ruleid: java-insecure-random-secret
        random.nextBytes(salt);
        // ruleid: java-insecure-random-secret
        String sessionId = "s" + Math.random();
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < 12; i++) {
            letters.append(LETTERS.charAt(random.nextInt(26)));
        }
        // ruleid: java-insecure-random-secret
        String password = letters.toString();

        // ok: java-insecure-random-secret
        String accessToken = Long.toHexString(secure.nextLong());
        byte[] nonce = new byte[12];
        // ok: java-insecure-random-secret
        secure.nextBytes(nonce);
        // ok: java-insecure-random-secret
        int delay = random.nextInt(1000);
        // ok: java-insecure-random-secret
        double jitter = Math.random();
    }

    String token() {
        // ruleid: java-insecure-random-secret
        return Long.toHexString(new Random().nextLong());
    }

    String newResetCode() {
        // ruleid: java-insecure-random-secret
        return String.format("%06d", ThreadLocalRandom.current().nextInt(1000000));
    }

    long getRandomToken() {
        // ok: java-insecure-random-secret
        return random.nextLong();
    }

    String drawAccessToken(SecureRandom secure) {
        // ok: java-insecure-random-secret
        return Long.toHexString(secure.nextLong());
    }
}
