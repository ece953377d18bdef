package users

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"

	"golang.org/x/crypto/bcrypt"
)

func hashes(user User, password string, body []byte) {
	// ruleid: go-weak-password-hash
	sum := md5.Sum([]byte(password))
	// ruleid: go-weak-password-hash
	salted := sha256.Sum256([]byte(user.Salt + user.Password))
	hash := sha1.New()
	// ruleid: go-weak-password-hash
	hash.Write([]byte(password))

	// ok: go-weak-password-hash
	etag := md5.Sum(body)
	// ok: go-weak-password-hash
	cache := sha256.Sum256([]byte(user.Name))
	// ok: go-weak-password-hash
	good, err := bcrypt.GenerateFromPassword([]byte(password), 12)
}

// Calculates the answer to the server's challenge, as its protocol prescribes.
func scrambleSHA256(scramble []byte, password string) []byte {
	crypt := sha256.New()
	// ok: go-weak-password-hash
	crypt.Write([]byte(password))
	return crypt.Sum(nil)
}
