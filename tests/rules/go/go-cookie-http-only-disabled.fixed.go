package login

import "net/http"

func cookies(w http.ResponseWriter, value string, scripts bool) {
	http.SetCookie(w, &http.Cookie{
		Name:  "session",
		Value: value,
		// ok: go-cookie-http-only-disabled
		Secure: false,
		// ruleid: go-cookie-http-only-disabled
		HttpOnly: true,
	})
	// ruleid: go-cookie-http-only-disabled
	store.Options = &sessions.Options{Path: "/", HttpOnly: true}
	// ok: go-cookie-http-only-disabled
	http.SetCookie(w, &http.Cookie{Name: "session", Value: value, Secure: true, HttpOnly: true})
	// ok: go-cookie-http-only-disabled
	http.SetCookie(w, &http.Cookie{Name: "session", Value: value, HttpOnly: !scripts})
}
