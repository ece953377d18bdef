package keys

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
)

func keys(bits int) {
	// ruleid: go-small-rsa-key
	small, err := rsa.GenerateKey(rand.Reader, 1024)
	// ruleid: go-small-rsa-key
	tiny, err := rsa.GenerateKey(rand.Reader, 512)
	// ok: go-small-rsa-key
	large, err := rsa.GenerateKey(rand.Reader, 3072)
	// ok: go-small-rsa-key
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	// ok: go-small-rsa-key
	asked, err := rsa.GenerateKey(rand.Reader, bits)
}
