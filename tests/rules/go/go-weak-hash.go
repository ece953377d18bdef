package files

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
)

func digests(body []byte) {
	// ruleid: go-weak-hash
	hash := md5.New()
	// ruleid: go-weak-hash
	sum := sha1.Sum(body)
	// ok: go-weak-hash
	good := sha256.Sum256(body)
	// ok: go-weak-hash
	other := sha256.New()
}
