package live

import (
	"net/http"

	"github.com/gorilla/websocket"
)

// ruleid: go-websocket-any-origin
var open = websocket.Upgrader{
	ReadBufferSize: 1024,
	CheckOrigin:    func(r *http.Request) bool { return true },
}

// ok: go-websocket-any-origin
var standard = websocket.Upgrader{ReadBufferSize: 1024}

func upgraders(upgrader *websocket.Upgrader) {
	// ruleid: go-websocket-any-origin
	upgrader.CheckOrigin = func(r *http.Request) bool { return true }
	// ok: go-websocket-any-origin
	upgrader.CheckOrigin = func(r *http.Request) bool { return origins[r.Header.Get("Origin")] }
}
