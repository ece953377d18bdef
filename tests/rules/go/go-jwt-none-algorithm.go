package login

import "github.com/golang-jwt/jwt/v5"

func tokens(claims jwt.MapClaims, secret []byte) {
	// ruleid: go-jwt-none-algorithm
	open := jwt.NewWithClaims(jwt.SigningMethodNone, claims)
	// ruleid: go-jwt-none-algorithm
	text, err := open.SignedString(jwt.UnsafeAllowNoneSignatureType)
	// ok: go-jwt-none-algorithm
	closed := jwt.NewWithClaims(jwt.SigningMethodHS256, claims)
	// ok: go-jwt-none-algorithm
	text, err = closed.SignedString(secret)
}
