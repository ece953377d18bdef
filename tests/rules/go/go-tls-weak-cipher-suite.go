package server

import "crypto/tls"

func suites() *tls.Config {
	config := &tls.Config{
		CipherSuites: []uint16{
			// ruleid: go-tls-weak-cipher-suite
			tls.TLS_RSA_WITH_RC4_128_SHA,
			// ruleid: go-tls-weak-cipher-suite
			tls.TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA,
			// ok: go-tls-weak-cipher-suite
			tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
		},
	}
	// ok: go-tls-weak-cipher-suite
	weak := map[uint16]bool{tls.TLS_RSA_WITH_RC4_128_SHA: true}
	return config
}
