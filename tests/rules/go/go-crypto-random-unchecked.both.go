package tokens

import (
	crand "crypto/rand"
	mrand "math/rand"
)

func token() []byte {
	bytes := make([]byte, 32)
	// ruleid: go-crypto-random-unchecked
	crand.Read(bytes)
	salt := make([]byte, 32)
	// ruleid: go-crypto-random-unchecked
	crand.Read(salt)
	filling := make([]byte, 32)
	// ok: go-crypto-random-unchecked
	mrand.Read(filling)
	// ok: go-crypto-random-unchecked
	mrand.Read(bytes[:4])
	return append(bytes, filling...)
}
