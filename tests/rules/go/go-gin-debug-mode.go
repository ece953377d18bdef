package main

import "github.com/gin-gonic/gin"

func main() {
	// ruleid: go-gin-debug-mode
	gin.SetMode(gin.DebugMode)
	// ok: go-gin-debug-mode
	gin.SetMode(gin.ReleaseMode)
	if debug {
		// ok: go-gin-debug-mode
		gin.SetMode(gin.DebugMode)
	}
	serve()
}

func development() {
	// ruleid: go-gin-debug-mode
	gin.SetMode(gin.DebugMode)
}
