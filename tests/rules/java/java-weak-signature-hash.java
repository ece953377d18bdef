package org.example.crypto;

import java.security.*;

class Signer {
    void sign() throws Exception {
        // ruleid: java-weak-signature-hash
        Signature old = Signature.getInstance("SHA1withRSA");
        // ruleid: java-weak-signature-hash
        Signature older = Signature.getInstance("MD5withRSA");
        // ok: java-weak-signature-hash
        Signature rsa = Signature.getInstance("SHA256withRSA");
        // ok: java-weak-signature-hash
        Signature edwards = Signature.getInstance("Ed25519");
    }
}
