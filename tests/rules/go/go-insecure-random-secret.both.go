package records

import (
	"crypto/cipher"
	"crypto/rand"
	mrand "math/rand"
)

func seal(aead cipher.AEAD, record []byte) []byte {
	nonce := make([]byte, aead.NonceSize())
	// ruleid: go-insecure-random-secret
	mrand.Read(nonce)
	return aead.Seal(nonce, nonce, record, nil)
}

func salted(record []byte) []byte {
	salt := make([]byte, 16)
	// ok: go-insecure-random-secret
	if _, err := rand.Read(salt); err != nil {
		return nil
	}
	return append(salt, record...)
}

func jitter(steps int) int {
	filling := make([]byte, steps)
	// ok: go-insecure-random-secret
	mrand.Read(filling)
	return mrand.Intn(steps)
}
