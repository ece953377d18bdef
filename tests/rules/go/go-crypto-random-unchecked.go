package tokens

import (
	"crypto/rand"
	"io"
	"math/big"
)

func token() ([]byte, error) {
	bytes := make([]byte, 32)
	// ruleid: go-crypto-random-unchecked
	rand.Read(bytes)
	// ruleid: go-crypto-random-unchecked
	_, _ = io.ReadFull(rand.Reader, bytes)
	// ruleid: go-crypto-random-unchecked
	number, _ := rand.Int(rand.Reader, big.NewInt(10))
	// ok: go-crypto-random-unchecked
	if _, err := rand.Read(bytes); err != nil {
		return nil, err
	}
	// ok: go-crypto-random-unchecked
	_, err := io.ReadFull(rand.Reader, bytes)
	return bytes, err
}
