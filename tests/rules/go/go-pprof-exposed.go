package main

import (
	"net/http"
	_ "net/http/pprof"
)

func main() {
	// ruleid: go-pprof-exposed
	go http.ListenAndServe(":6060", nil)
	// ruleid: go-pprof-exposed
	http.ListenAndServeTLS("0.0.0.0:8443", "cert.pem", "key.pem", nil)
	// ok: go-pprof-exposed
	go http.ListenAndServe("localhost:6060", nil)
	// ok: go-pprof-exposed
	http.ListenAndServe(":8080", router())
}
