package org.example.files;

import java.security.MessageDigest;

class Cache {
    byte[] cacheKey(byte[] content) throws Exception {
        // ruleid: java-weak-hash
        MessageDigest digest = MessageDigest.getInstance("MD5");
        return digest.digest(content);
    }

    byte[] md5(byte[] content) throws Exception {
        // The name promises that digest.
        // ruleid: java-weak-hash
        return MessageDigest.getInstance("MD5").digest(content);
    }
}
