package org.example.hooks;

import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;

class Hooks {
    boolean genuine(Mac mac, byte[] body, byte[] given) {
        // ruleid: java-timing-unsafe-compare
        return Arrays.equals(mac.doFinal(body), given);
    }

    boolean stored(Mac mac, byte[] body, byte[] given) {
        byte[] code = mac.doFinal(body);
        // ruleid: java-timing-unsafe-compare
        return Arrays.equals(given, code);
    }

    boolean constant(Mac mac, byte[] body, byte[] given) {
        // ok: java-timing-unsafe-compare
        return MessageDigest.isEqual(mac.doFinal(body), given);
    }

    boolean same(byte[] one, byte[] other) {
        // ok: java-timing-unsafe-compare
        return Arrays.equals(one, other);
    }
}
