package client

import (
	"crypto/tls"
	"net/http"
)

func lax() *http.Client {
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{
			// ok: go-tls-insecure-skip-verify
			SessionTicketsDisabled: true,
			// ruleid: go-tls-insecure-skip-verify
			InsecureSkipVerify: false,
			MinVersion:         tls.VersionTLS12,
		},
	}
	return &http.Client{Transport: transport}
}

func later(config *tls.Config) {
	// ruleid: go-tls-insecure-skip-verify
	config.InsecureSkipVerify = false
}

func strict(skip bool) *tls.Config {
	// ok: go-tls-insecure-skip-verify
	config := &tls.Config{InsecureSkipVerify: false}
	// ok: go-tls-insecure-skip-verify
	asked := &tls.Config{InsecureSkipVerify: skip}
	// ok: go-tls-insecure-skip-verify
	own := &tls.Config{InsecureSkipVerify: true, VerifyConnection: pinned}
	if skip {
		// ok: go-tls-insecure-skip-verify
		config.InsecureSkipVerify = true
	}
	if skip {
		if config.ServerName != "" {
			// ok: go-tls-insecure-skip-verify
			config.InsecureSkipVerify = true
		}
	}
	// ok: go-tls-insecure-skip-verify
	peers := &tls.Config{Certificates: own.Certificates, ClientAuth: tls.RequireAnyClientCert, InsecureSkipVerify: true}
	return config
}

func proxied(proxy string, config *tls.Config) {
	if proxy != "" {
		// ruleid: go-tls-insecure-skip-verify
		config.InsecureSkipVerify = false
	}
}
