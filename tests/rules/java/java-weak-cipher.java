package org.example.crypto;

import javax.crypto.*;

class Sealer {
    void seal() throws Exception {
        // ruleid: java-weak-cipher
        Cipher des = Cipher.getInstance("DES/CBC/PKCS5Padding");
        // ruleid: java-weak-cipher
        Cipher rc4 = Cipher.getInstance("RC4");
        // ruleid: java-weak-cipher
        KeyGenerator keys = KeyGenerator.getInstance("DESede");
        // ruleid: java-weak-cipher
        javax.crypto.Cipher full = javax.crypto.Cipher.getInstance("DES");

        // ok: java-weak-cipher
        Cipher aes = Cipher.getInstance("AES/GCM/NoPadding");
        // ok: java-weak-cipher
        Cipher rsa = Cipher.getInstance("RSA/ECB/OAEPWithSHA-256AndMGF1Padding");
        // ok: java-weak-cipher
        KeyGenerator good = KeyGenerator.getInstance("AES");
    }
}

class NtlmClient {
    byte[] response(byte[] hash) throws Exception {
        // ok: java-weak-cipher
        Cipher des = Cipher.getInstance("DES/ECB/NoPadding");
        return des.doFinal(hash);
    }
}
