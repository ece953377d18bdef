package org.example.crypto;

import java.security.*;

class Keys {
    KeyPair small() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        // ruleid: java-small-rsa-key
        generator.initialize(3072);
        return generator.generateKeyPair();
    }

    KeyPair smaller(SecureRandom random) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("DSA");
        // ruleid: java-small-rsa-key
        generator.initialize(3072, random);
        return generator.generateKeyPair();
    }

    KeyPair large() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        // ok: java-small-rsa-key
        generator.initialize(3072);
        return generator.generateKeyPair();
    }

    KeyPair curve() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        // ok: java-small-rsa-key
        generator.initialize(256);
        return generator.generateKeyPair();
    }
}
