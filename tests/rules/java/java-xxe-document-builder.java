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

    Document allowed(InputStream in) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", false);
        // ruleid: java-xxe-document-builder
        return factory.newDocumentBuilder().parse(in);
    }

    Document fetched(InputStream in) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://xml.org/sax/features/external-general-entities", true);
        // ruleid: java-xxe-document-builder
        return factory.newDocumentBuilder().parse(in);
    }

    Document named(InputStream in) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://xml.org/sax/features/namespaces", true);
        // ruleid: java-xxe-document-builder
        return factory.newDocumentBuilder().parse(in);
    }

    Document unsure(InputStream in) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, false);
        // ruleid: java-xxe-document-builder
        return factory.newDocumentBuilder().parse(in);
    }

    Document secure(InputStream in) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
        // ok: java-xxe-document-builder
        return factory.newDocumentBuilder().parse(in);
    }

    Document external(InputStream in) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://xml.org/sax/features/external-general-entities", false);
        // ok: java-xxe-document-builder
        return factory.newDocumentBuilder().parse(in);
    }

    Document ours(InputStream in) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature(FORBIDDEN_HERE, true);
        // ok: java-xxe-document-builder
        return factory.newDocumentBuilder().parse(in);
    }

    Document oursOff(InputStream in) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature(FETCHED_ELSEWHERE, false);
        // ok: java-xxe-document-builder
        return factory.newDocumentBuilder().parse(in);
    }

    Document attribute(InputStream in) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
        // ok: java-xxe-document-builder
        return factory.newDocumentBuilder().parse(in);
    }

    Document attributeForAll(InputStream in) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "all");
        // ruleid: java-xxe-document-builder
        return factory.newDocumentBuilder().parse(in);
    }

    Document tried(InputStream in) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        try {
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        } catch (ParserConfigurationException unknown) {
            throw new IllegalStateException(unknown);
        }
        // ok: java-xxe-document-builder
        return factory.newDocumentBuilder().parse(in);
    }
}
