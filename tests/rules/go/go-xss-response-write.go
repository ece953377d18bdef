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

func details(w http.ResponseWriter, r *http.Request) {
	_, err := look(r.FormValue("item"))
	// ok: go-xss-response-write
	w.Write([]byte(err.Error()))
	// ok: go-xss-response-write
	fmt.Fprint(w, err)
	// ok: go-xss-response-write
	w.Write([]byte("unknown item " + r.FormValue("item")))
	// ruleid: go-xss-response-write
	w.Write([]byte(r.FormValue("item") + " is unknown"))
	// ruleid: go-xss-response-write
	fmt.Fprintf(w, "<p>%s</p>", err.Error())
}

func declared(w http.ResponseWriter, r *http.Request) {
	_, err := look(r.FormValue("item"))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	// ruleid: go-xss-response-write
	w.Write([]byte(err.Error()))
}

func shown(w http.ResponseWriter, r *http.Request) {
	unknown := fmt.Errorf("%s is unknown", r.FormValue("item"))
	// ruleid: go-xss-response-write
	io.WriteString(w, unknown.Error())
	refused := fmt.Errorf("unknown item %s", r.FormValue("item"))
	// ok: go-xss-response-write
	io.WriteString(w, refused.Error())
}

func echo(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	// ok: go-xss-response-write
	w.Write([]byte(r.FormValue("body")))
}

func wrapped(w http.ResponseWriter, r *http.Request) {
	err := fmt.Errorf("<b>%s</b>", r.FormValue("q"))
	// ruleid: go-xss-response-write
	fmt.Fprint(w, err)
}
