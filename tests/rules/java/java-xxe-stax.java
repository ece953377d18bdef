package org.example.xml;

import javax.xml.stream.*;

class Stream {
    void read(InputStream in) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newInstance();
        // ruleid: java-xxe-stax
        XMLStreamReader reader = factory.createXMLStreamReader(in);
    }

    void events(InputStream in) throws XMLStreamException {
        // ruleid: java-xxe-stax
        XMLEventReader reader = XMLInputFactory.newFactory().createXMLEventReader(in);
    }

    void safe(InputStream in) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        // ok: java-xxe-stax
        XMLStreamReader reader = factory.createXMLStreamReader(in);
    }

    void writer(OutputStream out) throws XMLStreamException {
        // ok: java-xxe-stax
        XMLOutputFactory.newFactory().createXMLStreamWriter(out);
    }

    void joined(InputStream in) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newInstance();
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        // ruleid: java-xxe-stax
        XMLStreamReader reader = factory.createXMLStreamReader(in);
    }

    void fetched(InputStream in) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newInstance();
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, Boolean.TRUE);
        // ruleid: java-xxe-stax
        XMLStreamReader reader = factory.createXMLStreamReader(in);
    }

    void notFetched(InputStream in) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newInstance();
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, Boolean.FALSE);
        // ok: java-xxe-stax
        XMLStreamReader reader = factory.createXMLStreamReader(in);
    }
}
