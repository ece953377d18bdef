package org.example.users;

import java.security.MessageDigest;
import org.apache.commons.codec.digest.DigestUtils;

class Users {
    String hash(String password) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("MD5");
        // ruleid: java-weak-password-hash
        return hex(digest.digest(password.getBytes("UTF-8")));
    }

    String commons(String userPassword) {
        // ruleid: java-weak-password-hash
        return DigestUtils.sha1Hex(userPassword);
    }

    byte[] checksum(byte[] file) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        // ok: java-weak-password-hash
        return digest.digest(file);
    }

    String etag(String body) {
        // ok: java-weak-password-hash
        return DigestUtils.md5Hex(body);
    }

    static class DigestAuthenticator {
        void update(MessageDigest given, String password) throws Exception {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            // ok: java-weak-password-hash
            digest.update(password.getBytes("UTF-8"));
        }
    }

    String strong(String password) {
        // ok: java-weak-password-hash
        return new Argon2PasswordEncoder(16, 32, 1, 65536, 3).encode(password);
    }
}
