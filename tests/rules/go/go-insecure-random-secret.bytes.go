package users

import "math/rand"

func reset() ([]byte, error) {
	salt := make([]byte, 16)
	// ruleid: go-insecure-random-secret
	if _, err := rand.Read(salt); err != nil {
		return nil, err
	}
	return salt, nil
}
