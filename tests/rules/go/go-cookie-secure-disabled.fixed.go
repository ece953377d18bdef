package login

import "net/http"

func cookies(w http.ResponseWriter, r *http.Request, value string) {
	http.SetCookie(w, &http.Cookie{
		Name:  "session",
		Value: value,
		// ruleid: go-cookie-secure-disabled
		Secure: true,
		// ok: go-cookie-secure-disabled
		HttpOnly: false,
	})
	protect := csrf.Protect(key,
		// ruleid: go-cookie-secure-disabled
		csrf.Secure(true))
	// ok: go-cookie-secure-disabled
	http.SetCookie(w, &http.Cookie{Name: "session", Value: value, Secure: true, HttpOnly: true})
	// ok: go-cookie-secure-disabled
	http.SetCookie(w, &http.Cookie{Name: "session", Value: value, Secure: r.TLS != nil})
}
