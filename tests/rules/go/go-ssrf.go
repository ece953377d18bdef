package proxy

import (
	"fmt"
	"net/http"
	"net/url"
)

func preview(w http.ResponseWriter, r *http.Request) {
	link := r.FormValue("url")
	// ruleid: go-ssrf
	resp, err := http.Get(link)
	// ruleid: go-ssrf
	req, err := http.NewRequest("GET", fmt.Sprintf("https://%s/status", r.URL.Query().Get("host")), nil)

	target, err := url.Parse(r.FormValue("target"))
	// ruleid: go-ssrf
	resp, err = http.Get(target.String())

	// ok: go-ssrf
	resp, err = http.Get("https://status.example.org/health")
	// ok: go-ssrf
	resp, err = http.Get("https://weather.example.org/v1/" + r.FormValue("city"))
	// ok: go-ssrf
	resp, err = http.Get(fmt.Sprintf("%s/users/%s", config.Users, r.FormValue("user")))
	// ok: go-ssrf
	resp, err = http.Get(config.Users + "/users/" + r.FormValue("user"))

	checked := r.FormValue("checked")
	if !allowedHost(checked) {
		return
	}
	// ok: go-ssrf
	resp, err = http.Get(checked)
}
