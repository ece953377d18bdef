package audit

import (
	"log"
	"log/slog"
	"net/http"
	"strconv"
)

func login(w http.ResponseWriter, r *http.Request) {
	user := r.FormValue("user")
	// ruleid: go-log-injection
	log.Printf("failed login of %s", user)
	// ruleid: go-log-injection
	log.Println("agent", r.Header.Get("User-Agent"))

	// ok: go-log-injection
	log.Printf("failed login of %q", user)
	// ok: go-log-injection
	slog.Info("failed login", "user", user)
	rows, err := strconv.Atoi(r.FormValue("rows"))
	// ok: go-log-injection
	log.Printf("%d rows", rows)
	// ok: go-log-injection
	log.Printf("no number: %v", err)
}
