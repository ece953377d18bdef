package org.example.xml;

import javax.xml.parsers.*;

class Feed {
    void read(InputStream in) throws Exception {
        SAXParserFactory factory = SAXParserFactory.newInstance();
        // ruleid: java-xxe-sax-parser
        SAXParser parser = factory.newSAXParser();
        parser.parse(in, handler);
    }

    void readAtOnce(InputStream in) throws Exception {
        // ruleid: java-xxe-sax-parser
        SAXParserFactory.newInstance().newSAXParser().parse(in, handler);
    }

    void safe(InputStream in) throws Exception {
        SAXParserFactory factory = SAXParserFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        // ok: java-xxe-sax-parser
        factory.newSAXParser().parse(in, handler);
    }

    void reader(InputSource in) throws Exception {
        SAXParserFactory factory = SAXParserFactory.newInstance();
        // ok: java-xxe-sax-parser
        XMLReader reader = factory.newSAXParser().getXMLReader();
        reader.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        reader.parse(in);
    }

    void allowed(InputStream in) throws Exception {
        SAXParserFactory factory = SAXParserFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", false);
        // ruleid: java-xxe-sax-parser
        factory.newSAXParser().parse(in, handler);
    }

    void fetched(InputStream in) throws Exception {
        SAXParserFactory factory = SAXParserFactory.newInstance();
        factory.setFeature("http://xml.org/sax/features/external-general-entities", true);
        // ruleid: java-xxe-sax-parser
        factory.newSAXParser().parse(in, handler);
    }

    void named(InputStream in) throws Exception {
        SAXParserFactory factory = SAXParserFactory.newInstance();
        factory.setFeature("http://xml.org/sax/features/namespaces", true);
        // ruleid: java-xxe-sax-parser
        factory.newSAXParser().parse(in, handler);
    }

    void unsure(InputStream in) throws Exception {
        SAXParserFactory factory = SAXParserFactory.newInstance();
        factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, false);
        // ruleid: java-xxe-sax-parser
        factory.newSAXParser().parse(in, handler);
    }

    void secure(InputStream in) throws Exception {
        SAXParserFactory factory = SAXParserFactory.newInstance();
        factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
        // ok: java-xxe-sax-parser
        factory.newSAXParser().parse(in, handler);
    }

    void external(InputStream in) throws Exception {
        SAXParserFactory factory = SAXParserFactory.newInstance();
        factory.setFeature("http://xml.org/sax/features/external-general-entities", false);
        // ok: java-xxe-sax-parser
        factory.newSAXParser().parse(in, handler);
    }

    void ours(InputStream in) throws Exception {
        SAXParserFactory factory = SAXParserFactory.newInstance();
        factory.setFeature(FORBIDDEN_HERE, true);
        // ok: java-xxe-sax-parser
        factory.newSAXParser().parse(in, handler);
    }

    void oursOff(InputStream in) throws Exception {
        SAXParserFactory factory = SAXParserFactory.newInstance();
        factory.setFeature(FETCHED_ELSEWHERE, false);
        // ok: java-xxe-sax-parser
        factory.newSAXParser().parse(in, handler);
    }

    void readerThatFetches(InputSource in) throws Exception {
        SAXParserFactory factory = SAXParserFactory.newInstance();
        // ruleid: java-xxe-sax-parser
        XMLReader reader = factory.newSAXParser().getXMLReader();
        reader.setFeature("http://xml.org/sax/features/external-parameter-entities", true);
        reader.parse(in);
    }
}
