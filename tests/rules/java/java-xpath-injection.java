package org.example.accounts;

import javax.servlet.http.*;
import javax.xml.xpath.*;

class AccountServlet extends HttpServlet {
    private XPath xpath = XPathFactory.newInstance().newXPath();

    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws Exception {
        String name = request.getParameter("name");
        // ruleid: java-xpath-injection
        xpath.evaluate("//account[name='" + name + "']", document);

        StringBuilder query = new StringBuilder("//account[@id='");
        query.append(request.getParameter("id")).append("']");
        // ruleid: java-xpath-injection
        XPathExpression account = xpath.compile(query.toString());

        // ok: java-xpath-injection
        xpath.evaluate("//account[name=$name]", document);
        // ok: java-xpath-injection
        xpath.evaluate("//account[" + Integer.parseInt(request.getParameter("row")) + "]", document);
    }
}
