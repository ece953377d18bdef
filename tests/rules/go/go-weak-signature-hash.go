package sign

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
)

func sign(key *rsa.PrivateKey, digest []byte) {
	// ruleid: go-weak-signature-hash
	rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA1, digest)
	// ruleid: go-weak-signature-hash
	template := &x509.Certificate{IsCA: true, SignatureAlgorithm: x509.MD5WithRSA}
	// ok: go-weak-signature-hash
	rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, digest)
	// ok: go-weak-signature-hash
	good := &x509.Certificate{SignatureAlgorithm: x509.SHA256WithRSA}
	// ok: go-weak-signature-hash
	rsa.VerifyPKCS1v15(&key.PublicKey, crypto.SHA1, digest, digest)
}
