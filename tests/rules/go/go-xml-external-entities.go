package feed

import (
	"encoding/xml"

	"github.com/lestrrat-go/libxml2"
	"github.com/lestrrat-go/libxml2/parser"
)

func read(text string) {
	// ruleid: go-xml-external-entities
	open := parser.New(parser.XMLParseNoEnt)
	// ruleid: go-xml-external-entities
	doc, err := libxml2.ParseString(text, parser.XMLParseNoEnt|parser.XMLParseDTDLoad)
	// ok: go-xml-external-entities
	closed := parser.New(parser.XMLParseNoNet)
	// ok: go-xml-external-entities
	err = xml.Unmarshal([]byte(text), &order)
}
