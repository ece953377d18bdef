package org.example.queue;

import javax.naming.*;
import javax.servlet.http.*;

class QueueServlet extends HttpServlet {
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws NamingException {
        Context context = new InitialContext();
        // ruleid: java-jndi-injection
        Object queue = context.lookup(request.getParameter("queue"));

        String name = request.getHeader("X-Source");
        // ruleid: java-jndi-injection
        InitialContext.doLookup(name);

        // ok: java-jndi-injection
        context.lookup("java:comp/env/jms/orders");
        // ok: java-jndi-injection
        context.lookup("java:comp/env/" + request.getParameter("queue"));
    }
}
