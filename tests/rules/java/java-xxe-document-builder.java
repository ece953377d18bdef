package org.example.xml;

import javax.xml.XMLConstants;
import javax.xml.parsers.*;

class Orders {
    Document read(InputStream in) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        // ruleid: java-xxe-document-builder
        DocumentBuilder builder = factory.newDocumentBuilder();
        return builder.parse(in);
    }

    Document readAtOnce(InputStream in) throws Exception {
        // ruleid: java-xxe-document-builder
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
    }

    Document safe(InputStream in) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        // ok: java-xxe-document-builder
        return factory.newDocumentBuilder().parse(in);
    }

    Document empty() throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        // ok: java-xxe-document-builder
        return factory.newDocumentBuilder().newDocument();
    }

    void warm() throws Exception {
        // ok: java-xxe-document-builder
        DocumentBuilderFactory.newInstance().newDocumentBuilder();
    }

    Document answered(InputStream in) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        // ok: java-xxe-document-builder
        DocumentBuilder builder = factory.newDocumentBuilder();
        builder.setEntityResolver((id, system) -> new InputSource(new StringReader("")));
        return builder.parse(in);
    }
}
