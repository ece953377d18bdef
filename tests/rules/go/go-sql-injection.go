package shop

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
	"github.com/gorilla/mux"
	"gorm.io/gorm"
)

type server struct {
	db   *sql.DB
	orm  *gorm.DB
	data *metrics
}

func (s *server) orders(w http.ResponseWriter, r *http.Request) {
	customer := r.URL.Query().Get("customer")
	// ruleid: go-sql-injection
	rows, err := s.db.Query("SELECT * FROM orders WHERE customer = '" + customer + "'")

	query := fmt.Sprintf("DELETE FROM orders WHERE id = '%s'", mux.Vars(r)["id"])
	// ruleid: go-sql-injection
	_, err = s.db.ExecContext(r.Context(), query)

	// ok: go-sql-injection
	rows, err = s.db.Query("SELECT * FROM orders WHERE customer = $1", customer)
	// ok: go-sql-injection
	rows, err = s.db.QueryContext(r.Context(), "SELECT * FROM orders WHERE customer = ?", customer)

	page, err := strconv.Atoi(r.FormValue("page"))
	// ok: go-sql-injection
	rows, err = s.db.Query(fmt.Sprintf("SELECT * FROM orders LIMIT %d", page))

	column := r.FormValue("sort")
	if !slices.Contains(sortable, column) {
		return
	}
	// ok: go-sql-injection
	rows, err = s.db.Query("SELECT * FROM orders ORDER BY " + column)

	// ok: go-sql-injection
	s.data.Query(r.FormValue("query"))
}

func (s *server) search(w http.ResponseWriter, r *http.Request) {
	var criteria Criteria
	if err := json.NewDecoder(r.Body).Decode(&criteria); err != nil {
		return
	}
	// ruleid: go-sql-injection
	row := s.db.QueryRow("SELECT * FROM customer WHERE city = '" + criteria.City + "'")
}

func (s *server) sorted(c *gin.Context) {
	var found []Customer
	// ruleid: go-sql-injection
	s.orm.Model(&Customer{}).Order(c.Query("sort")).Find(&found)
	// ruleid: go-sql-injection
	s.orm.Raw("SELECT * FROM customer WHERE name = '" + c.Param("name") + "'").Scan(&found)
	// ok: go-sql-injection
	s.orm.Where("name = ?", c.Param("name")).Find(&found)
}
