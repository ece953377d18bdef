package tools

import (
	"net/http"
	"os/exec"
	"strings"
)

func Escape(given string) string { return strings.ReplaceAll(given, "'", "") }

func isHost(given string) bool { return given == "localhost" }

func ping(w http.ResponseWriter, r *http.Request) {
	host := r.FormValue("host")
	// ok: go-command-injection
	exec.Command("sh", "-c", "ping "+Escape(host)).Run()
	if isHost(host) {
		// ok: go-command-injection
		exec.Command("sh", "-c", "ping "+host).Run()
	}
}
