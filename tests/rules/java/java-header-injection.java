package org.example.files;

import javax.servlet.http.*;

class ExportServlet extends HttpServlet {
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        String name = request.getParameter("name");
        // ruleid: java-header-injection
        response.setHeader("Content-Disposition", "attachment; filename=" + name);
        // ruleid: java-header-injection
        response.addHeader("X-Tenant", request.getHeader("X-Tenant"));

        // ok: java-header-injection
        response.setHeader("Content-Disposition", "attachment; filename=" + name.replaceAll("[^a-z]", ""));
        // ok: java-header-injection
        response.setHeader("X-Page", String.valueOf(Integer.parseInt(request.getParameter("page"))));
        // ok: java-header-injection
        response.setHeader("Cache-Control", "no-store");
        // ok: java-header-injection
        response.setHeader("Access-Control-Allow-Origin", request.getHeader("Origin"));
    }
}
