package org.example.crypto;

import javax.crypto.spec.*;

class Derive {
    private static final int ROUNDS = 600000;

    void derive(char[] password, byte[] salt, int given) {
        // ruleid: java-weak-pbe-iterations
        new PBEKeySpec(password, salt, 1000, 256);
        // ruleid: java-weak-pbe-iterations
        new PBEParameterSpec(salt, 20);
        // ok: java-weak-pbe-iterations
        new PBEKeySpec(password, salt, 600000, 256);
        // ok: java-weak-pbe-iterations
        new PBEKeySpec(password, salt, ROUNDS, 256);
        // ok: java-weak-pbe-iterations
        new PBEKeySpec(password, salt, given, 256);
    }
}
