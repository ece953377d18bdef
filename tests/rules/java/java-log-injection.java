package org.example.audit;

import javax.servlet.http.*;
import org.slf4j.*;

class AuditServlet extends HttpServlet {
    private static final Logger log = LoggerFactory.getLogger(AuditServlet.class);

    protected void doPost(HttpServletRequest request, HttpServletResponse response) {
        String user = request.getParameter("user");
        // ruleid: java-log-injection
        log.warn("Failed login of " + user);
        // ruleid: java-log-injection
        log.info("Agent: " + request.getHeader("User-Agent"));

        // ok: java-log-injection
        log.warn("Failed login of " + user.replaceAll("[\r\n]", "_"));
        // ok: java-log-injection
        log.info("Rows: " + Integer.parseInt(request.getParameter("rows")));
        // ok: java-log-injection
        log.info("Started");
    }
}
