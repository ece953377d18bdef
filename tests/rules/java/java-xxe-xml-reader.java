package org.example.xml;

import org.dom4j.io.SAXReader;
import org.jdom2.input.SAXBuilder;
import org.xml.sax.*;
import org.xml.sax.helpers.XMLReaderFactory;

class Readers {
    void xerces(InputSource in) throws Exception {
        XMLReader reader = XMLReaderFactory.createXMLReader();
        reader.setContentHandler(handler);
        // ruleid: java-xxe-xml-reader
        reader.parse(in);
    }

    Document dom4j(InputStream in) throws Exception {
        SAXReader reader = new SAXReader();
        // ruleid: java-xxe-xml-reader
        return reader.read(in);
    }

    Document jdom(InputStream in) throws Exception {
        // ruleid: java-xxe-xml-reader
        return new SAXBuilder().build(in);
    }

    Document safe(InputStream in) throws Exception {
        SAXReader reader = new SAXReader();
        reader.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        // ok: java-xxe-xml-reader
        return reader.read(in);
    }

    int plain(InputStream in) throws IOException {
        BufferedInputStream reader = new BufferedInputStream(in);
        // ok: java-xxe-xml-reader
        return reader.read();
    }

    Document named(InputStream in) throws Exception {
        SAXReader reader = new SAXReader();
        reader.setFeature("http://xml.org/sax/features/validation", false);
        // ruleid: java-xxe-xml-reader
        return reader.read(in);
    }

    Document fetched(InputStream in) throws Exception {
        SAXReader reader = new SAXReader();
        reader.setFeature("http://xml.org/sax/features/external-general-entities", true);
        // ruleid: java-xxe-xml-reader
        return reader.read(in);
    }

    Document notFetched(InputStream in) throws Exception {
        SAXReader reader = new SAXReader();
        reader.setFeature("http://xml.org/sax/features/external-general-entities", false);
        reader.setFeature("http://xml.org/sax/features/external-parameter-entities", false);
        // ok: java-xxe-xml-reader
        return reader.read(in);
    }
}
