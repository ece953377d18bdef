package store

import (
	"net/http"

	"go.mongodb.org/mongo-driver/bson"
)

func find(w http.ResponseWriter, r *http.Request) {
	name := r.FormValue("name")
	// ruleid: go-nosql-injection
	cursor, err := users.Find(r.Context(), bson.M{"$where": "this.name == '" + name + "'"})
	var filter bson.M
	// ruleid: go-nosql-injection
	err = bson.UnmarshalExtJSON([]byte(r.FormValue("filter")), true, &filter)

	// ok: go-nosql-injection
	cursor, err = users.Find(r.Context(), bson.M{"name": name})
	// ok: go-nosql-injection
	cursor, err = users.Find(r.Context(), bson.M{"$where": "this.a > this.b"})
}
