package search

import (
	"net/http"
	"regexp"
)

func grep(w http.ResponseWriter, r *http.Request) {
	// ruleid: go-regex-injection
	word := regexp.MustCompile("^" + r.FormValue("word"))
	// ruleid: go-regex-injection
	found, err := regexp.MatchString(r.URL.Query().Get("pattern"), text)

	// ok: go-regex-injection
	literal := regexp.MustCompile("^" + regexp.QuoteMeta(r.FormValue("word")))
	// ok: go-regex-injection
	digits := regexp.MustCompile("^[0-9]+$").MatchString(r.FormValue("word"))
}
