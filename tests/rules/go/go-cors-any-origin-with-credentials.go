package web

import (
	"net/http"

	"github.com/gin-contrib/cors"
)

func middleware() {
	// ruleid: go-cors-any-origin-with-credentials
	any := cors.New(cors.Config{AllowAllOrigins: true, AllowCredentials: true})
	// ruleid: go-cors-any-origin-with-credentials
	function := cors.New(cors.Options{
		AllowOriginFunc:  func(origin string) bool { return true },
		AllowCredentials: true,
	})
	// ok: go-cors-any-origin-with-credentials
	public := cors.New(cors.Config{AllowAllOrigins: true})
	// ok: go-cors-any-origin-with-credentials
	named := cors.New(cors.Options{AllowedOrigins: []string{"https://app.example.org"}, AllowCredentials: true})
}

func reflect(w http.ResponseWriter, r *http.Request) {
	// ruleid: go-cors-any-origin-with-credentials
	w.Header().Set("Access-Control-Allow-Origin", r.Header.Get("Origin"))
	w.Header().Set("Access-Control-Allow-Credentials", "true")
}
