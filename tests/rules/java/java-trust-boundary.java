package org.example.login;

import javax.servlet.http.*;

class ProfileServlet extends HttpServlet {
    protected void doPost(HttpServletRequest request, HttpServletResponse response) {
        String theme = request.getParameter("theme");
        // ruleid: java-trust-boundary
        request.getSession().setAttribute("theme", theme);
        HttpSession session = request.getSession();
        // ruleid: java-trust-boundary
        session.setAttribute(request.getParameter("name"), "on");

        // ok: java-trust-boundary
        session.setAttribute("user", users.find(request.getParameter("user")));
        // ok: java-trust-boundary
        request.setAttribute("theme", theme);
    }
}
