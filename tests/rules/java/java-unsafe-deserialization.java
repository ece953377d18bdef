package org.example.session;

import java.beans.XMLDecoder;
import java.io.*;
import java.util.Base64;
import javax.servlet.http.*;
import org.springframework.web.bind.annotation.*;

class SessionServlet extends HttpServlet {
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws Exception {
        ObjectInputStream stream = new ObjectInputStream(request.getInputStream());
        // ruleid: java-unsafe-deserialization
        Object session = stream.readObject();

        byte[] state = Base64.getDecoder().decode(request.getParameter("state"));
        // ruleid: java-unsafe-deserialization
        Object old = new ObjectInputStream(new ByteArrayInputStream(state)).readObject();

        XMLDecoder decoder = new XMLDecoder(request.getInputStream());
        // ruleid: java-unsafe-deserialization
        decoder.readObject();

        ObjectInputStream filtered = new ObjectInputStream(request.getInputStream());
        filtered.setObjectInputFilter(ObjectInputFilter.Config.createFilter("org.example.*;!*"));
        // ok: java-unsafe-deserialization
        filtered.readObject();

        ObjectInputStream own = new ObjectInputStream(new FileInputStream("cache.bin"));
        // ok: java-unsafe-deserialization
        own.readObject();
    }
}
