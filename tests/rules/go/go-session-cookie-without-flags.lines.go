package login

import "net/http"

func cookies(w http.ResponseWriter, value string) {
	// ruleid: go-session-cookie-without-flags
	http.SetCookie(w, &http.Cookie{
		Name:     "session",
		Value:    value,
		HttpOnly: false,
		Path:     "/",
	})
}
