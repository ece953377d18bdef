package login

import "net/http"

func cookies(w http.ResponseWriter, r *http.Request, value string) {
	// ruleid: go-session-cookie-without-flags
	http.SetCookie(w, &http.Cookie{Name: "session", Value: value, Path: "/"})
	// ruleid: go-session-cookie-without-flags
	http.SetCookie(w, &http.Cookie{Name: "auth_token", Value: value, HttpOnly: true})
	// ok: go-session-cookie-without-flags
	http.SetCookie(w, &http.Cookie{Name: "session", Value: value, Secure: true, HttpOnly: true})
	// ok: go-session-cookie-without-flags
	http.SetCookie(w, &http.Cookie{Name: "session", MaxAge: -1})
	// ok: go-session-cookie-without-flags
	http.SetCookie(w, &http.Cookie{Name: "theme", Value: "dark"})
	// ok: go-session-cookie-without-flags
	r.AddCookie(&http.Cookie{Name: "session", Value: value})
}
