package app

import (
	"net/http"
	"os"

	"github.com/gorilla/mux"
)

var reports = map[string]string{"daily": "/srv/daily.csv"}

func fixedKeys(w http.ResponseWriter, r *http.Request) {
	// ruleid: go-path-traversal
	os.ReadFile("/srv/" + r.URL.Query()["path"][0])
	// ruleid: go-path-traversal
	os.ReadFile("/srv/" + mux.Vars(r)["name"])
	vars := mux.Vars(r)
	// ruleid: go-path-traversal
	os.ReadFile("/srv/" + vars["name"])
}

func keyOfTheCaller(w http.ResponseWriter, r *http.Request) {
	// ok: go-path-traversal
	os.ReadFile(reports[r.FormValue("report")])
}
