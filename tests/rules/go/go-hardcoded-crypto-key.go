package keys

import (
	"crypto/aes"
	"crypto/hmac"
	"crypto/sha256"
	"os"

	"github.com/gorilla/sessions"
)

var signing = []byte("not-a-real-secret")

func keys(derived []byte, token *jwt.Token) {
	// ruleid: go-hardcoded-crypto-key
	block, err := aes.NewCipher([]byte("0123456789abcdef"))
	// ruleid: go-hardcoded-crypto-key
	store := sessions.NewCookieStore([]byte("not-a-real-secret"))
	// ruleid: go-hardcoded-crypto-key
	text, err := token.SignedString(signing)

	// ok: go-hardcoded-crypto-key
	block, err = aes.NewCipher(derived)
	// ok: go-hardcoded-crypto-key
	store = sessions.NewCookieStore([]byte(os.Getenv("SESSION_KEY")))
	// ok: go-hardcoded-crypto-key
	mac := hmac.New(sha256.New, derived)
}
