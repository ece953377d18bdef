package hooks

import (
	"io"
	"net/http"
)

func hook(w http.ResponseWriter, r *http.Request) {
	// ruleid: go-request-body-without-limit
	body, err := io.ReadAll(r.Body)
}

func upload(w http.ResponseWriter, req *http.Request) {
	// ruleid: go-request-body-without-limit
	content, err := io.ReadAll(req.Body)
}

func limited(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
	// ok: go-request-body-without-limit
	body, err := io.ReadAll(r.Body)
	// ok: go-request-body-without-limit
	part, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
}
