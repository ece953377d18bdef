package accounts

import (
	"net/http"

	"github.com/antchfx/xmlquery"
	"github.com/antchfx/xpath"
)

func account(w http.ResponseWriter, r *http.Request) {
	name := r.FormValue("name")
	// ruleid: go-xpath-injection
	node := xmlquery.FindOne(doc, "//account[name='"+name+"']")
	// ruleid: go-xpath-injection
	expr, err := xpath.Compile("//account[@id='" + r.URL.Query().Get("id") + "']")

	// ok: go-xpath-injection
	node = xmlquery.FindOne(doc, "//account[@active]")
	row, _ := strconv.Atoi(r.FormValue("row"))
	// ok: go-xpath-injection
	node = xmlquery.FindOne(doc, fmt.Sprintf("//account[%d]", row))
}
