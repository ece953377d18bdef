package server

import "crypto/tls"

func configs() {
	old := &tls.Config{
		// ruleid: go-tls-obsolete-version
		MinVersion: tls.VersionTLS10,
		// ok: go-tls-obsolete-version
		MaxVersion: tls.VersionTLS11,
	}
	// ruleid: go-tls-obsolete-version
	old.MinVersion = tls.VersionSSL30
	// ok: go-tls-obsolete-version
	current := &tls.Config{MinVersion: tls.VersionTLS12}
	// ok: go-tls-obsolete-version
	names := map[string]uint16{"1.0": tls.VersionTLS10}
}
