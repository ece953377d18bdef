package org.example.directory;

import javax.naming.directory.*;
import javax.servlet.http.*;

class DirectoryServlet extends HttpServlet {
    private DirContext directory;

    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws NamingException {
        String user = request.getParameter("user");
        // ruleid: java-ldap-injection
        directory.search("ou=people,dc=example,dc=org", "(uid=" + user + ")", new SearchControls());

        String filter = String.format("(&(uid=%s)(active=true))", user);
        // ruleid: java-ldap-injection
        directory.search("dc=example,dc=org", filter, new SearchControls());

        // ok: java-ldap-injection
        directory.search("dc=example,dc=org", "(uid={0})", new Object[] {user}, new SearchControls());
        // ok: java-ldap-injection
        directory.search("dc=example,dc=org", "(uid=" + Filter.encodeValue(user) + ")", new SearchControls());
    }
}
