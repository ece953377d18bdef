package main

import (
	"crypto/tls"
	"net"
)

func main() {
	// ruleid: go-bind-all-interfaces
	open, err := net.Listen("tcp", ":8080")
	// ruleid: go-bind-all-interfaces
	secure, err := tls.Listen("tcp", "0.0.0.0:8443", config)
	// ok: go-bind-all-interfaces
	local, err := net.Listen("tcp", "127.0.0.1:8080")
	// ok: go-bind-all-interfaces
	unix, err := net.Listen("unix", "/run/example.sock")
	// ok: go-bind-all-interfaces
	configured, err := net.Listen("tcp", config.Address)
}
