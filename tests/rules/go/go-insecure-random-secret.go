package users

import (
	"fmt"
	"math/rand"
	"time"
)

func reset(u *User) {
	// ruleid: go-insecure-random-secret
	resetToken := fmt.Sprintf("%x", rand.Int63())
	salt := make([]byte, 16)
	// ruleid: go-insecure-random-secret
	rand.Read(salt)
	nonce := make([]byte, 12)
	// ruleid: go-insecure-random-secret
	rand.Read(nonce)
	// ok: go-insecure-random-secret
	delay := time.Duration(rand.Intn(1000)) * time.Millisecond
	// ok: go-insecure-random-secret
	index := rand.Intn(len(servers))
}

func generateToken(n int) string {
	b := make([]byte, n)
	for i := range b {
		// ruleid: go-insecure-random-secret
		b[i] = letters[rand.Intn(len(letters))]
	}
	return string(b)
}
