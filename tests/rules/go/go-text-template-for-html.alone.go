package pages

import (
	"net/http"
	"text/template"
)

var page = template.Must(template.ParseFiles("page.html"))

func profile(w http.ResponseWriter, r *http.Request) {
	// ruleid: go-text-template-for-html
	if err := page.Execute(w, r.URL.Query()); err != nil {
		http.Error(w, "no page", http.StatusInternalServerError)
	}
}
