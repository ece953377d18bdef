package seal

import (
	"crypto/cipher"
	"crypto/rand"
)

func seal(block cipher.Block, gcm cipher.AEAD, text []byte) []byte {
	// ruleid: go-static-nonce
	mode := cipher.NewCBCEncrypter(block, []byte("0123456789abcdef"))
	// ruleid: go-static-nonce
	sealed := gcm.Seal(nil, make([]byte, 12), text, nil)

	nonce := make([]byte, gcm.NonceSize())
	rand.Read(nonce)
	// ok: go-static-nonce
	sealed = gcm.Seal(nonce, nonce, text, nil)
	// ok: go-static-nonce
	mode = cipher.NewCBCEncrypter(block, text[:16])
	return sealed
}
