package org.example.pages;

import java.io.PrintWriter;
import javax.servlet.http.*;

class SearchServlet extends HttpServlet {
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String query = request.getParameter("q");
        // ruleid: java-xss-response-writer
        response.getWriter().println("<h1>Results for " + query + "</h1>");

        PrintWriter page = response.getWriter();
        // ruleid: java-xss-response-writer
        page.printf("<p>%s</p>", request.getHeader("Referer"));

        // ok: java-xss-response-writer
        page.println("<p>" + Encode.forHtml(query) + "</p>");
        // ok: java-xss-response-writer
        page.println("<p>" + StringEscapeUtils.escapeHtml4(query) + "</p>");
        // ok: java-xss-response-writer
        page.println("<footer>example.org</footer>");
    }

    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("application/json");
        // ok: java-xss-response-writer
        response.getWriter().print("{\"id\": \"" + request.getParameter("id") + "\"}");
    }
}
