package seal

import (
	"crypto/aes"
	"crypto/des"
	"crypto/rc4"
)

func ciphers(key []byte) {
	// ruleid: go-weak-cipher
	block, err := des.NewCipher(key)
	// ruleid: go-weak-cipher
	stream, err := rc4.NewCipher(key)
	// ok: go-weak-cipher
	good, err := aes.NewCipher(key)
	// ok: go-weak-cipher
	own, err := store.NewCipher(key)
}
