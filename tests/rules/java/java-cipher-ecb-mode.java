package org.example.crypto;

import javax.crypto.Cipher;

class Sealer {
    void seal() throws Exception {
        // ruleid: java-cipher-ecb-mode
        Cipher named = Cipher.getInstance("AES/ECB/PKCS5Padding");
        // ruleid: java-cipher-ecb-mode
        Cipher bare = Cipher.getInstance("AES");

        // ok: java-cipher-ecb-mode
        Cipher gcm = Cipher.getInstance("AES/GCM/NoPadding");
        // ok: java-cipher-ecb-mode
        Cipher wrap = Cipher.getInstance("AESWrap");
        // The mode of RSA is a word without meaning.
        // ok: java-cipher-ecb-mode
        Cipher rsa = Cipher.getInstance("RSA/ECB/OAEPWithSHA-256AndMGF1Padding");
    }
}
