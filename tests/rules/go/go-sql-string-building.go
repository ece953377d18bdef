package shop

import (
	"database/sql"
	"fmt"
)

func orders(db *sql.DB, customer string, page int) {
	query := fmt.Sprintf(`
		SELECT * FROM orders
		WHERE customer = %s`, customer)
	// ruleid: go-sql-string-building
	db.QueryRow(query)
	// ruleid: go-sql-string-building
	db.Query(fmt.Sprintf("SELECT * FROM orders WHERE customer = '%s'", customer))
	// ruleid: go-sql-string-building
	db.Exec("DELETE FROM orders WHERE customer = '" + customer + "'")
	// ok: go-sql-string-building
	db.Query("SELECT * FROM orders WHERE customer = $1", customer)
	// ok: go-sql-string-building
	db.Query(fmt.Sprintf("SELECT * FROM orders LIMIT %d", page))
	// ok: go-sql-string-building
	db.Query(fmt.Sprintf("SELECT * FROM %s", table))
}
