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

func spelled(w http.ResponseWriter, r *http.Request) {
	// ruleid: go-command-injection
	exec.Command("sh", "-c", "ls "+r.URL.Path).Run()
	// ruleid: go-command-injection
	exec.Command("sh", "-c", "ls "+r.Header["X-Name"][0]).Run()
	// ruleid: go-command-injection
	exec.Command("sh", "-c", "ls "+r.UserAgent()).Run()
	address := r.URL
	// ruleid: go-command-injection
	exec.Command("sh", "-c", "ls "+address.Query().Get("name")).Run()
	// ok: go-command-injection
	exec.Command("sh", "-c", "ls "+r.Method).Run()
}

func kept(w http.ResponseWriter, r *http.Request) {
	names := map[string]string{}
	names["asked"] = r.FormValue("name")
	// ruleid: go-command-injection
	exec.Command("sh", "-c", "ls "+names["asked"]).Run()
	// ok: go-command-injection
	exec.Command("sh", "-c", "ls "+known[r.FormValue("name")]).Run()
}

func checked(w http.ResponseWriter, r *http.Request) {
	host := r.FormValue("host")
	if strings.Contains(host, host) {
		// ruleid: go-command-injection
		exec.Command("sh", "-c", "ping "+host).Run()
	}
	if strings.HasPrefix(host, "") {
		// ruleid: go-command-injection
		exec.Command("sh", "-c", "ping "+host).Run()
	}
	_ = pattern.MatchString(host)
	// ruleid: go-command-injection
	exec.Command("sh", "-c", "ping "+host).Run()
	// ruleid: go-command-injection
	exec.Command("sh", "-c", "ping "+html.EscapeString(host)).Run()
	if !pattern.MatchString(host) {
		return
	}
	// ok: go-command-injection
	exec.Command("sh", "-c", "ping "+host).Run()
}
