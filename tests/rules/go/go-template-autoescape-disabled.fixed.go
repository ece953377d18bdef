package pages

import "github.com/flosch/pongo2/v6"

func engines(set *pongo2.TemplateSet) {
	// ruleid: go-template-autoescape-disabled
	pongo2.SetAutoescape(true)
	// ruleid: go-template-autoescape-disabled
	set.SetAutoescape(true)
	// ok: go-template-autoescape-disabled
	pongo2.SetAutoescape(true)
	// ok: go-template-autoescape-disabled
	set.SetAutoescape(escape)
}
