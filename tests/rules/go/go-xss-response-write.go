package pages

import (
	"fmt"
	"html"
	"io"
	"net/http"
)

func search(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query().Get("q")
	// ruleid: go-xss-response-write
	fmt.Fprintf(w, "<h1>Results for %s</h1>", query)
	// ruleid: go-xss-response-write
	w.Write([]byte(r.FormValue("body")))
	// ruleid: go-xss-response-write
	io.WriteString(w, "<p>"+query+"</p>")

	// ok: go-xss-response-write
	fmt.Fprintf(w, "<h1>Results for %s</h1>", html.EscapeString(query))
	// A text that starts with plain words is served as text/plain.
	// ok: go-xss-response-write
	fmt.Fprintf(w, "unknown item %s", query)
	// ok: go-xss-response-write
	fmt.Fprintf(w, "<h1>%d results</h1>", len(query))
	page := renderPage(query)
	// ok: go-xss-response-write
	io.WriteString(w, page)
}

func echo(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	// ok: go-xss-response-write
	w.Write([]byte(r.FormValue("body")))
}
