package org.example.security;

import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.*;

class Passwords {
    PasswordEncoder plain() {
        // ruleid: java-plain-text-password-encoder
        return NoOpPasswordEncoder.getInstance();
    }

    UserDetails sample() {
        // ruleid: java-plain-text-password-encoder
        return User.withDefaultPasswordEncoder().username("guest").password("guest").build();
    }

    PasswordEncoder hashed() {
        // ok: java-plain-text-password-encoder
        return new BCryptPasswordEncoder(12);
    }

    UserDetails stored(String hash) {
        // ok: java-plain-text-password-encoder
        return User.withUsername("guest").password(hash).build();
    }
}
