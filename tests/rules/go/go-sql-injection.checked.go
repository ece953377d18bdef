package app

import (
	"context"
	"database/sql"
	"net/http"
	"slices"
	"strings"

	"github.com/jmoiron/sqlx"
)

var db *sql.DB
var columns = []string{"name", "age"}
var sorts = map[string]string{"name": "name", "age": "created_at"}

func entry(w http.ResponseWriter, r *http.Request) {
	column, known := sorts[r.FormValue("sort")]
	if !known {
		column = "name"
	}
	// ok: go-sql-injection
	db.Query("SELECT * FROM users ORDER BY " + column)
	parts := strings.Split(r.FormValue("sort"), ",")
	for i := range parts {
		// ruleid: go-sql-injection
		db.Query("SELECT * FROM users ORDER BY " + parts[i])
	}
}

func several(w http.ResponseWriter, r *http.Request) {
	sort := r.FormValue("sort")
	if sort == "" || !slices.Contains(columns, sort) {
		return
	}
	// ok: go-sql-injection
	db.Query("SELECT * FROM users ORDER BY " + sort)
}

func severalWithout(w http.ResponseWriter, r *http.Request) {
	sort := r.FormValue("sort")
	if sort == "" || len(sort) > 9 {
		return
	}
	// ruleid: go-sql-injection
	db.Query("SELECT * FROM users ORDER BY " + sort)
}

func oneOf(w http.ResponseWriter, r *http.Request) {
	sort := r.FormValue("sort")
	if sort != "name" && sort != "age" {
		http.Error(w, "unknown", 400)
		return
	}
	// ok: go-sql-injection
	db.Query("SELECT * FROM users ORDER BY " + sort)
}

func oneOfOrNot(w http.ResponseWriter, r *http.Request) {
	sort := r.FormValue("sort")
	if sort != "name" && sort != "age" {
		http.Error(w, "unknown", 400)
	}
	// ruleid: go-sql-injection
	db.Query("SELECT * FROM users ORDER BY " + sort)
}

func values(w http.ResponseWriter, r *http.Request) {
	ids := strings.Split(r.FormValue("ids"), ",")
	marks := strings.Repeat("?,", len(ids)) + "?"
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	// ok: go-sql-injection
	db.Query("SELECT * FROM users WHERE id IN ("+marks+")", args...)
	// ruleid: go-sql-injection
	db.Query("SELECT * FROM users WHERE id IN (" + strings.Join(ids, ",") + ")")
}

func expanded(w http.ResponseWriter, r *http.Request) {
	query, args, _ := sqlx.In("SELECT * FROM users WHERE id IN (?)", r.Form["id"])
	// ok: go-sql-injection
	db.Query(query, args...)
}

func withContext(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	// ruleid: go-sql-injection
	db.Query(ctx, "SELECT * FROM users ORDER BY "+r.FormValue("sort"))
	// ok: go-sql-injection
	db.Query(ctx, "SELECT * FROM users WHERE name = $1", r.FormValue("name"))
}
