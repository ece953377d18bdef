package org.example.login;

import javax.servlet.http.*;

class Cookies {
    void send(ServletContext context, HttpServletResponse response, String value, boolean scripts) {
        Cookie cookie = new Cookie("session", value);
        // ruleid: java-cookie-http-only-disabled
        cookie.setHttpOnly(false);
        response.addCookie(cookie);
        // ruleid: java-cookie-http-only-disabled
        context.getSessionCookieConfig().setHttpOnly(false);

        Cookie good = new Cookie("session", value);
        // ok: java-cookie-http-only-disabled
        good.setHttpOnly(true);
        // ok: java-cookie-http-only-disabled
        good.setHttpOnly(!scripts);
    }
}
