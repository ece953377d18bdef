package mail

import (
	"net/http"
	"text/template"
)

func preview(w http.ResponseWriter, r *http.Request) {
	// ruleid: go-template-injection
	mail, err := template.New("mail").Parse(r.FormValue("body"))
	text := "Dear " + r.FormValue("name")
	// ruleid: go-template-injection
	letter := template.Must(template.New("letter").Parse(text))

	// ok: go-template-injection
	note := template.Must(template.New("note").Parse("Dear {{.Name}}"))
	// ok: go-template-injection
	note.Execute(w, map[string]string{"Name": r.FormValue("name")})
}
