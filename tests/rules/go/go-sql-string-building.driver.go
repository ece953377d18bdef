package shop

import (
	"database/sql"
	"fmt"

	_ "github.com/go-sql-driver/mysql"
)

func orders(db *sql.DB, customer string, note fmt.Stringer) error {
	query := fmt.Sprintf(`
		SELECT * FROM orders
		WHERE customer = '%s' AND note = '%s'`, customer, note)
	// ruleid: go-sql-string-building
	if _, err := db.Exec(query); err != nil {
		return err
	}
	// ruleid: go-sql-string-building
	rows, err := db.Query("SELECT * FROM orders WHERE name LIKE '" + customer + "%' LIMIT 9")
	if err != nil {
		return err
	}
	// ruleid: go-sql-string-building
	db.Exec("INSERT INTO seen (name, kind) VALUES ('" + customer + "', 'order')")
	// ok: go-sql-string-building
	db.Query(fmt.Sprintf("SELECT * FROM %s", customer))
	return rows.Close()
}
