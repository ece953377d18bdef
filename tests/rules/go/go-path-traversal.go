package files

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

func report(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("report")
	// ruleid: go-path-traversal
	content, err := os.ReadFile("/srv/reports/" + name)
	// ruleid: go-path-traversal
	file, err := os.Open(filepath.Join("/srv/reports", r.FormValue("file")))
	// ruleid: go-path-traversal
	http.ServeFile(w, r, filepath.Join("/srv/reports", name))

	// ok: go-path-traversal
	content, err = os.ReadFile(filepath.Join("/srv/reports", filepath.Base(name)))
	// ok: go-path-traversal
	content, err = os.ReadFile("/srv/reports/index.html")

	path := filepath.Join("/srv/reports", r.FormValue("checked"))
	if !strings.HasPrefix(path, "/srv/reports/") {
		return
	}
	// ok: go-path-traversal
	content, err = os.ReadFile(path)

	local := r.FormValue("local")
	if !filepath.IsLocal(local) {
		return
	}
	// ok: go-path-traversal
	content, err = os.ReadFile(filepath.Join("/srv/reports", local))
}
