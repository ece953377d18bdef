package pages

import (
	"bytes"
	"net/http"
	"text/template"
)

var page = template.Must(template.ParseFiles("page.html"))

func profile(w http.ResponseWriter, r *http.Request) {
	// ruleid: go-text-template-for-html
	page.Execute(w, user(r))
}

func (s *site) list(w http.ResponseWriter, r *http.Request) {
	// ruleid: go-text-template-for-html
	page.ExecuteTemplate(w, "list", s.users())
}

func metrics(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	// ok: go-text-template-for-html
	page.Execute(w, user(r))
}

func mail(out *bytes.Buffer, u User) {
	// ok: go-text-template-for-html
	page.Execute(out, u)
}
