package files

import (
	"crypto/sha1"
	"encoding/hex"
)

func cacheKey(body []byte) string {
	// ruleid: go-weak-hash
	sum := sha1.Sum(body)
	return hex.EncodeToString(sum[:])
}

func blockHash(body []byte) string {
	// Whoever asked for the block prescribes how it is called.
	// ruleid: go-weak-hash
	sum := sha1.Sum(body)
	return hex.EncodeToString(sum[:])
}
