package main

import (
	"log"
	"net/http"
)

func main() {
	// ruleid: go-http-server-without-timeouts
	server := &http.Server{
		Addr:    "127.0.0.1:8081",
		Handler: http.DefaultServeMux,
	}
	go server.ListenAndServe()
	// ruleid: go-http-server-without-timeouts
	log.Fatal(http.ListenAndServeTLS("127.0.0.1:8080", "cert.pem", "key.pem", nil))
}
