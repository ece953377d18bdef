package org.example.search;

import java.util.regex.Pattern;
import javax.servlet.http.*;

class GrepServlet extends HttpServlet {
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        String pattern = request.getParameter("pattern");
        // ruleid: java-regex-injection
        Pattern compiled = Pattern.compile(pattern, Pattern.CASE_INSENSITIVE);
        String text = "stored text";
        // ruleid: java-regex-injection
        boolean found = text.matches(".*" + request.getParameter("word") + ".*");

        // ok: java-regex-injection
        Pattern literal = Pattern.compile(Pattern.quote(request.getParameter("word")));
        // ok: java-regex-injection
        Pattern.compile("[a-z]+").matcher(request.getParameter("text")).matches();
    }
}
