package main

import (
	"html"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"
)

func show(c *gin.Context) {
	// ruleid: go-xss-response-write
	c.Data(http.StatusOK, "text/html; charset=utf-8", []byte("<h1>"+c.Query("q")+"</h1>"))
	// ok: go-xss-response-write
	c.Data(http.StatusOK, "text/html; charset=utf-8", []byte("<h1>"+html.EscapeString(c.Query("q"))+"</h1>"))
	// ok: go-xss-response-write
	c.Data(http.StatusOK, "text/plain", []byte("found "+c.Query("q")))
}

func page(c echo.Context) error {
	// ruleid: go-xss-response-write
	return c.HTML(http.StatusOK, "<h1>"+c.QueryParam("q")+"</h1>")
}

func plain(c echo.Context) error {
	// ok: go-xss-response-write
	return c.String(http.StatusOK, "found "+c.QueryParam("q"))
}
