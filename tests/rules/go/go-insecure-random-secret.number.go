package users

import (
	"fmt"
	"math/rand"
	"time"
)

const letters = "abcdefghijklmnopqrstuvwxyz"

func generateToken(n int) string {
	rand.Seed(time.Now().UnixNano())
	b := make([]byte, n)
	for i := range b {
		// ruleid: go-insecure-random-secret
		b[i] = letters[rand.Intn(len(letters))]
	}
	return fmt.Sprint(string(b))
}
