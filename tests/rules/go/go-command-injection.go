package tools

import (
	"net/http"
	"os/exec"

	"github.com/gin-gonic/gin"
)

func ping(w http.ResponseWriter, r *http.Request) {
	host := r.URL.Query().Get("host")
	// ruleid: go-command-injection
	out, err := exec.Command("sh", "-c", "ping -c 1 "+host).Output()
	// ruleid: go-command-injection
	err = exec.CommandContext(r.Context(), "/bin/bash", "-c", "dig "+host).Run()

	args := []string{"-c", "nslookup " + host}
	// ruleid: go-command-injection
	err = exec.Command("sh", args...).Run()

	// ok: go-command-injection
	out, err = exec.Command("ping", "-c", "1", host).Output()
	// ok: go-command-injection
	out, err = exec.Command("sh", "-c", "uptime").Output()

	tool := tools[r.FormValue("tool")]
	// ok: go-command-injection
	out, err = exec.Command(tool).Output()
}

func run(c *gin.Context) {
	// ruleid: go-command-injection
	exec.Command(c.PostForm("program")).Run()
	// ok: go-command-injection
	exec.Command("report", c.PostForm("name")).Run()
}
