package users

import (
	"crypto/sha256"

	"golang.org/x/crypto/pbkdf2"
)

const rounds = 600000

func derive(password string, salt []byte, given int) {
	// ruleid: go-weak-pbkdf2-iterations
	pbkdf2.Key([]byte(password), salt, 1000, 32, sha256.New)
	// ruleid: go-weak-pbkdf2-iterations
	pbkdf2.Key([]byte(password), salt, 4096, 32, sha256.New)
	// ok: go-weak-pbkdf2-iterations
	pbkdf2.Key([]byte(password), salt, 600000, 32, sha256.New)
	// ok: go-weak-pbkdf2-iterations
	pbkdf2.Key([]byte(password), salt, rounds, 32, sha256.New)
	// ok: go-weak-pbkdf2-iterations
	pbkdf2.Key([]byte(password), salt, given, 32, sha256.New)
}
