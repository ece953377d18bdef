package org.example.crypto;

import javax.crypto.*;

class Sealer {
    // ruleid: java-null-cipher
    private Cipher cipher = new NullCipher();

    Cipher other() {
        // ruleid: java-null-cipher
        return new javax.crypto.NullCipher();
    }

    Cipher real() throws Exception {
        // ok: java-null-cipher
        return Cipher.getInstance("AES/GCM/NoPadding");
    }

    void names(Cipher given) {
        // ok: java-null-cipher
        boolean none = given instanceof NullCipher;
    }
}
