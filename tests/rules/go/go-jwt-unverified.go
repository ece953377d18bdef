package login

import (
	"net/http"

	"github.com/golang-jwt/jwt/v5"
)

func user(r *http.Request) (string, error) {
	claims := &Claims{}
	// ruleid: go-jwt-unverified
	_, _, err := jwt.NewParser().ParseUnverified(r.Header.Get("X-Token"), claims)
	return claims.Subject, err
}

func subject(parser *jwt.Parser, text string, claims *Claims) string {
	// ruleid: go-jwt-unverified
	parser.ParseUnverified(text, claims)
	return claims.Subject
}

func verified(text string, claims *Claims) (*jwt.Token, error) {
	// ok: go-jwt-unverified
	return jwt.ParseWithClaims(text, claims, key, jwt.WithValidMethods([]string{"RS256"}))
}

func twoSteps(parser *jwt.Parser, text string, claims *Claims) (*jwt.Token, error) {
	// ok: go-jwt-unverified
	head, _, err := parser.ParseUnverified(text, claims)
	keyFor(head)
	token, err := parser.ParseWithClaims(text, claims, key)
	return token, err
}
