package org.example.xml;

import com.thoughtworks.xstream.XStream;
import com.thoughtworks.xstream.security.*;

class Streams {
    void make() {
        XStream open = new XStream();
        // ruleid: java-xstream-any-type
        open.addPermission(AnyTypePermission.ANY);
        // ruleid: java-xstream-any-type
        open.allowTypesByWildcard(new String[] {"**"});

        XStream limited = new XStream();
        // ok: java-xstream-any-type
        limited.addPermission(NoTypePermission.NONE);
        // ok: java-xstream-any-type
        limited.allowTypesByWildcard(new String[] {"org.example.orders.**"});
    }
}
