package login

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/golang-jwt/jwt/v5"
)

func user(r *http.Request) (string, error) {
	claims := &Claims{}
	// ruleid: go-jwt-of-request-unverified
	_, _, err := jwt.NewParser().ParseUnverified(r.Header.Get("X-Token"), claims)
	return claims.Subject, err
}

func middleware(c *gin.Context) {
	text := strings.TrimPrefix(c.GetHeader("Authorization"), "Bearer ")
	claims := &Claims{}
	// ruleid: go-jwt-of-request-unverified
	if _, _, err := new(jwt.Parser).ParseUnverified(text, claims); err != nil {
		c.AbortWithStatus(401)
	}
	c.Set("user", claims.Subject)
}

func ours(parser *jwt.Parser, text string, claims *Claims) string {
	// ok: go-jwt-of-request-unverified
	parser.ParseUnverified(text, claims)
	return claims.Subject
}

func verified(r *http.Request, claims *Claims) (*jwt.Token, error) {
	// ok: go-jwt-of-request-unverified
	return jwt.ParseWithClaims(r.Header.Get("X-Token"), claims, key, jwt.WithValidMethods([]string{"RS256"}))
}

func twoSteps(parser *jwt.Parser, r *http.Request, claims *Claims) (*jwt.Token, error) {
	// ok: go-jwt-of-request-unverified
	head, _, err := parser.ParseUnverified(r.Header.Get("X-Token"), claims)
	keyFor(head)
	token, err := parser.ParseWithClaims(r.Header.Get("X-Token"), claims, key)
	return token, err
}
