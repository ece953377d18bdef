package org.example.plugins;

import javax.servlet.http.*;

class PluginServlet extends HttpServlet {
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws Exception {
        String plugin = request.getParameter("plugin");
        // ruleid: java-unsafe-reflection
        Class<?> type = Class.forName("org.example.plugins." + plugin);
        // ruleid: java-unsafe-reflection
        Thread.currentThread().getContextClassLoader().loadClass(request.getParameter("type"));

        // ok: java-unsafe-reflection
        Class.forName("org.example.plugins.Csv");
        // ok: java-unsafe-reflection
        PLUGINS.get(plugin).getDeclaredConstructor().newInstance();
        String checked = request.getParameter("checked");
        if (!NAMES.contains(checked)) {
            return;
        }
        // ok: java-unsafe-reflection
        Class.forName(checked);
    }
}
