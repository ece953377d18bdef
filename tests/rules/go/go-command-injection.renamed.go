package tools

import (
	"net/http"
	"os/exec"
)

func Escape(given string) string { return given }

func isHost(given string) bool { return true }

func ping(w http.ResponseWriter, r *http.Request) {
	host := r.FormValue("host")
	// ruleid: go-command-injection
	exec.Command("sh", "-c", "ping "+Escape(host)).Run()
	if isHost(host) {
		// ruleid: go-command-injection
		exec.Command("sh", "-c", "ping "+host).Run()
	}
}
