package directory

import (
	"fmt"
	"net/http"

	"github.com/go-ldap/ldap/v3"
)

func person(w http.ResponseWriter, r *http.Request) {
	user := r.FormValue("user")
	// ruleid: go-ldap-injection
	request := ldap.NewSearchRequest(base, ldap.ScopeWholeSubtree, 0, 0, 0, false, fmt.Sprintf("(uid=%s)", user), nil, nil)
	filter := "(&(uid=" + user + ")(active=true))"
	// ruleid: go-ldap-injection
	request = ldap.NewSearchRequest(base, ldap.ScopeWholeSubtree, 0, 0, 0, false, filter, nil, nil)

	// ok: go-ldap-injection
	request = ldap.NewSearchRequest(base, ldap.ScopeWholeSubtree, 0, 0, 0, false, "(uid="+ldap.EscapeFilter(user)+")", nil, nil)
	// ok: go-ldap-injection
	request = ldap.NewSearchRequest(base, ldap.ScopeWholeSubtree, 0, 0, 0, false, "(active=true)", nil, nil)
}
