package tools

import (
	"fmt"
	"os/exec"
)

func archive(folder string) error {
	// ruleid: go-shell-command-string
	exec.Command("sh", "-c", fmt.Sprintf("tar czf out.tgz %s", folder)).Run()
	// ruleid: go-shell-command-string
	exec.Command("/bin/bash", "-c", "du -s "+folder).Run()
	// ok: go-shell-command-string
	exec.Command("tar", "czf", "out.tgz", "--", folder).Run()
	// ok: go-shell-command-string
	return exec.Command("sh", "-c", "sync; uptime").Run()
}
