package org.example.web;

import javax.servlet.http.*;

class ReportServlet extends HttpServlet {
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            report();
        } catch (ReportException e) {
            // ruleid: java-stack-trace-to-client
            e.printStackTrace(response.getWriter());
        } catch (RuntimeException e) {
            // ruleid: java-stack-trace-to-client
            response.sendError(500, ExceptionUtils.getStackTrace(e));
        } catch (Exception e) {
            log.error("report failed", e);
            // ok: java-stack-trace-to-client
            response.sendError(500, "The report could not be made");
        }
    }

    void trace(Exception e, PrintWriter log) {
        // ok: java-stack-trace-to-client
        e.printStackTrace(log);
        // ok: java-stack-trace-to-client
        e.printStackTrace();
    }
}
