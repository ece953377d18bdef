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
}
