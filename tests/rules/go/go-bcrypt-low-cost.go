package users

import "golang.org/x/crypto/bcrypt"

func hash(password []byte, cost int) {
	// ruleid: go-bcrypt-low-cost
	bcrypt.GenerateFromPassword(password, bcrypt.MinCost)
	// ruleid: go-bcrypt-low-cost
	bcrypt.GenerateFromPassword(password, 4)
	// ok: go-bcrypt-low-cost
	bcrypt.GenerateFromPassword(password, bcrypt.DefaultCost)
	// ok: go-bcrypt-low-cost
	bcrypt.GenerateFromPassword(password, 12)
	// ok: go-bcrypt-low-cost
	bcrypt.GenerateFromPassword(password, cost)
}
