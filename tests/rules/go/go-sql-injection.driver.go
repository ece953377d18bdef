package shop

import (
	"database/sql"
	"fmt"
	"net/http"
	"strings"

	_ "github.com/lib/pq"
)

func orders(db *sql.DB, r *http.Request) (*sql.Rows, error) {
	customer := r.URL.Query().Get("customer")
	query := "SELECT * FROM orders" +
		" WHERE customer = '" + customer + "' AND paid"
	// ruleid: go-sql-injection
	return db.Query(query)
}

func found(db *sql.DB, r *http.Request) *sql.Row {
	// ruleid: go-sql-injection
	return db.QueryRowContext(r.Context(), fmt.Sprintf("SELECT * FROM orders WHERE id = %s AND city LIKE '%%%s%%'", r.FormValue("id"), r.FormValue("city")))
}

func sorted(db *sql.DB, r *http.Request) (*sql.Rows, error) {
	// A column is no value: nothing can be bound to it.
	// ruleid: go-sql-injection
	return db.Query("SELECT * FROM orders ORDER BY " + r.FormValue("sort"))
}

func several(db *sql.DB, r *http.Request) (*sql.Rows, error) {
	// ruleid: go-sql-injection
	return db.Query("SELECT * FROM orders WHERE id IN (" + strings.Join(r.Form["id"], ",") + ")")
}

func bound(db *sql.DB, r *http.Request) (*sql.Rows, error) {
	// ok: go-sql-injection
	return db.Query("SELECT * FROM orders WHERE customer = $1", r.FormValue("customer"))
}
