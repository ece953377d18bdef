package org.example.accounts;

import jakarta.servlet.http.HttpServletRequest;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Node;

class Accounts {
    Node find(HttpServletRequest request, Document document) throws Exception {
        String name = request.getParameter("name");
        XPath xpath = XPathFactory.newInstance().newXPath();
        String query = "//account[@name = '" + name + "']/card";
        // ruleid: java-xpath-injection
        return (Node) xpath.evaluate(query, document, XPathConstants.NODE);
    }
}
