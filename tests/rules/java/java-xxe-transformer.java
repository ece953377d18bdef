package org.example.xml;

import javax.xml.XMLConstants;
import javax.xml.transform.*;
import javax.xml.transform.stream.StreamSource;

class Styles {
    void style(InputStream sheet, Source in, Result out) throws TransformerException {
        TransformerFactory factory = TransformerFactory.newInstance();
        // ruleid: java-xxe-transformer
        Transformer transformer = factory.newTransformer(new StreamSource(sheet));
        transformer.transform(in, out);
    }

    void atOnce(InputStream sheet, Source in, Result out) throws TransformerException {
        // ruleid: java-xxe-transformer
        TransformerFactory.newInstance().newTransformer(new StreamSource(sheet)).transform(in, out);
    }

    void safe(InputStream sheet, Source in, Result out) throws TransformerException {
        TransformerFactory factory = TransformerFactory.newInstance();
        factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
        factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_STYLESHEET, "");
        // ok: java-xxe-transformer
        factory.newTransformer(new StreamSource(sheet)).transform(in, out);
    }

    void print(Document document, Result out) throws TransformerException {
        // ok: java-xxe-transformer
        TransformerFactory.newInstance().newTransformer().transform(new DOMSource(document), out);
    }

    void fetching(InputStream sheet, Source in, Result out) throws TransformerException {
        TransformerFactory factory = TransformerFactory.newInstance();
        factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_STYLESHEET, "all");
        // ruleid: java-xxe-transformer
        factory.newTransformer(new StreamSource(sheet)).transform(in, out);
    }
}
