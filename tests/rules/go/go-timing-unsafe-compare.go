package hooks

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

func genuine(key, body, given []byte, header string) bool {
	mac := hmac.New(sha256.New, key)
	mac.Write(body)
	// ruleid: go-timing-unsafe-compare
	if bytes.Equal(mac.Sum(nil), given) {
		return true
	}
	code := hex.EncodeToString(mac.Sum(nil))
	// ruleid: go-timing-unsafe-compare
	if code == header {
		return true
	}
	// ok: go-timing-unsafe-compare
	return hmac.Equal(mac.Sum(nil), given)
}

func same(file, other []byte) bool {
	sum := sha256.New()
	sum.Write(file)
	// ok: go-timing-unsafe-compare
	return bytes.Equal(sum.Sum(nil), other)
}
