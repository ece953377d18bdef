package org.example.xml;

import java.io.InputStream;
import java.io.StringReader;
import javax.servlet.http.HttpServletRequest;
import javax.xml.parsers.*;
import javax.xml.stream.*;

class Imports {
    Document read(HttpServletRequest request) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        DocumentBuilder builder = factory.newDocumentBuilder();
        // ruleid: java-xxe-of-request
        return builder.parse(request.getInputStream());
    }

    Document readAtOnce(HttpServletRequest request) throws Exception {
        // ruleid: java-xxe-of-request
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(request.getInputStream());
    }

    void handle(@RequestBody String text, Handler handler) throws Exception {
        SAXParser parser = SAXParserFactory.newInstance().newSAXParser();
        // ruleid: java-xxe-of-request
        parser.parse(new InputSource(new StringReader(text)), handler);
    }

    XMLStreamReader stream(HttpServletRequest request) throws Exception {
        XMLInputFactory factory = XMLInputFactory.newInstance();
        // ruleid: java-xxe-of-request
        return factory.createXMLStreamReader(request.getReader());
    }

    Document safe(HttpServletRequest request) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        DocumentBuilder builder = factory.newDocumentBuilder();
        // ok: java-xxe-of-request
        return builder.parse(request.getInputStream());
    }

    Document ours(InputStream in) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        // ok: java-xxe-of-request
        return factory.newDocumentBuilder().parse(in);
    }

    Document made(HttpServletRequest request, DocumentBuilder builder) throws Exception {
        // ok: java-xxe-of-request
        return builder.parse(request.getInputStream());
    }

    XMLStreamReader safeStream(HttpServletRequest request) throws Exception {
        XMLInputFactory factory = XMLInputFactory.newInstance();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        // ok: java-xxe-of-request
        return factory.createXMLStreamReader(request.getReader());
    }

    Document remembered(HttpServletRequest request) throws Exception {
        DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        // ruleid: java-xxe-of-request
        Document document = builder.parse(request.getInputStream());
        request.setAttribute("document", document);
        return document;
    }

    Document allowed(HttpServletRequest request) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", false);
        DocumentBuilder builder = factory.newDocumentBuilder();
        // ruleid: java-xxe-of-request
        return builder.parse(request.getInputStream());
    }

    Document resolved(HttpServletRequest request) throws Exception {
        DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        builder.setEntityResolver((id, system) -> new InputSource(new StringReader("")));
        // ok: java-xxe-of-request
        return builder.parse(request.getInputStream());
    }

    Document kept(HttpServletRequest request) throws Exception {
        DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        // ruleid: java-xxe-of-request
        Document document = builder.parse(request.getInputStream());
        request.getSession().setAttribute(DOCUMENT, document);
        HttpSession session = request.getSession();
        session.setAttribute(DOCUMENT, document);
        return document;
    }
}
