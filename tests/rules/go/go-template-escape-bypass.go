package pages

import (
	"html/template"
	"net/http"
)

func profile(w http.ResponseWriter, r *http.Request) {
	// ruleid: go-template-escape-bypass
	page.Execute(w, template.HTML(r.FormValue("about")))
	link := r.URL.Query().Get("link")
	// ruleid: go-template-escape-bypass
	data := map[string]any{"link": template.URL(link)}

	// ok: go-template-escape-bypass
	page.Execute(w, r.FormValue("about"))
	// ok: go-template-escape-bypass
	page.Execute(w, template.HTML("<b>about</b>"))
	// ok: go-template-escape-bypass
	page.Execute(w, template.HTML(template.HTMLEscapeString(link)))
	// ok: go-template-escape-bypass
	page.Execute(w, template.HTML(policy.Sanitize(link)))
}
