package app

import (
	"net/http"
	"net/url"
)

func host(w http.ResponseWriter, r *http.Request) {
	address, err := url.Parse(r.FormValue("to"))
	if err != nil || address.IsAbs() || address.Host != "" {
		http.Redirect(w, r, "/", http.StatusFound)
		return
	}
	// ok: go-open-redirect
	http.Redirect(w, r, address.String(), http.StatusFound)
}

func anyHost(w http.ResponseWriter, r *http.Request) {
	address, err := url.Parse(r.FormValue("to"))
	if err != nil || address.Host == "" {
		http.Redirect(w, r, "/", http.StatusFound)
		return
	}
	// ruleid: go-open-redirect
	http.Redirect(w, r, address.String(), http.StatusFound)
}
