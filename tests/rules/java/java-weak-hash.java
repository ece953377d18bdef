package org.example.files;

import java.security.MessageDigest;

class Digests {
    void make() throws Exception {
        // ruleid: java-weak-hash
        MessageDigest md5 = MessageDigest.getInstance("MD5");
        // ruleid: java-weak-hash
        MessageDigest sha1 = java.security.MessageDigest.getInstance("SHA-1", "SUN");
        // ok: java-weak-hash
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        // ok: java-weak-hash
        MessageDigest sha512 = MessageDigest.getInstance("SHA-512/256");
    }
}
