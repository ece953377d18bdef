package org.example.login;

import javax.servlet.http.*;

class Cookies {
    void send(HttpServletRequest request, HttpServletResponse response, String value) {
        Cookie cookie = new Cookie("session", value);
        // ruleid: java-cookie-secure-disabled
        cookie.setSecure(false);
        response.addCookie(cookie);
        // ruleid: java-cookie-secure-disabled
        ResponseCookie spring = ResponseCookie.from("session", value).secure(false).build();

        Cookie good = new Cookie("session", value);
        // ok: java-cookie-secure-disabled
        good.setSecure(true);
        // ok: java-cookie-secure-disabled
        good.setSecure(request.isSecure());
        // ok: java-cookie-secure-disabled
        manager.setSecure(false);
    }
}
