package main

import (
	"net/http"
	"time"
)

func main() {
	// ruleid: go-http-server-without-timeouts
	http.ListenAndServe("127.0.0.1:8080", mux)
	// ruleid: go-http-server-without-timeouts
	slow := &http.Server{Addr: "127.0.0.1:8080", Handler: mux}
	// ok: go-http-server-without-timeouts
	good := &http.Server{Addr: "127.0.0.1:8080", Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	// ok: go-http-server-without-timeouts
	later := &http.Server{Handler: mux}
	later.ReadTimeout = time.Minute
	// ok: go-http-server-without-timeouts
	good.ListenAndServe()
}
