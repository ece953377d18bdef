package login

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

func login(w http.ResponseWriter, r *http.Request) {
	// ruleid: go-open-redirect
	http.Redirect(w, r, r.FormValue("next"), http.StatusFound)

	// ok: go-open-redirect
	http.Redirect(w, r, "/orders/"+r.FormValue("id"), http.StatusFound)
	// ok: go-open-redirect
	http.Redirect(w, r, "/login?"+r.URL.RawQuery, http.StatusFound)
	// ok: go-open-redirect
	http.Redirect(w, r, targets[r.FormValue("key")], http.StatusFound)

	next := r.FormValue("next")
	if !strings.HasPrefix(next, "https://app.example.org/") {
		next = "/"
	}
	// ok: go-open-redirect
	http.Redirect(w, r, next, http.StatusFound)
}

func leave(c *gin.Context) {
	to := c.Query("to")
	// ruleid: go-open-redirect
	c.Redirect(http.StatusFound, to)
}

func moved(w http.ResponseWriter, r *http.Request) {
	redirect := settings.MatchRedirect(r.RequestURI)
	// ok: go-open-redirect
	http.Redirect(w, r, redirect.To, redirect.Status)
	// ruleid: go-open-redirect
	http.Redirect(w, r, matched(r.FormValue("next")), http.StatusFound)
}

func matched(given string) string {
	return given
}

func made(w http.ResponseWriter, r *http.Request) {
	// ok: go-open-redirect
	w.Header().Set("Location", r.FormValue("name"))
	w.Header().Set("X-Digest", "1")
	w.WriteHeader(http.StatusCreated)
}

func sent(w http.ResponseWriter, r *http.Request) {
	// ruleid: go-open-redirect
	w.Header().Set("Location", r.FormValue("next"))
	w.WriteHeader(http.StatusFound)
}
