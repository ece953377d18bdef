package org.example.login;

import javax.servlet.http.*;

class Cookies {
    void open(HttpServletResponse response, String value) {
        Cookie cookie = new Cookie("session", value);
        cookie.setPath("/");
        // ruleid: java-session-cookie-without-flags
        response.addCookie(cookie);
    }

    void remember(HttpServletResponse response, String value) {
        Cookie cookie = new Cookie("remember-me", value);
        cookie.setHttpOnly(true);
        // ruleid: java-session-cookie-without-flags
        response.addCookie(cookie);
    }

    void safe(HttpServletResponse response, String value) {
        Cookie cookie = new Cookie("session", value);
        cookie.setSecure(true);
        cookie.setHttpOnly(true);
        // ok: java-session-cookie-without-flags
        response.addCookie(cookie);
    }

    void close(HttpServletResponse response) {
        Cookie cookie = new Cookie("session", "");
        cookie.setMaxAge(0);
        // ok: java-session-cookie-without-flags
        response.addCookie(cookie);
    }

    void theme(HttpServletResponse response) {
        Cookie cookie = new Cookie("theme", "dark");
        // ok: java-session-cookie-without-flags
        response.addCookie(cookie);
    }
}
