package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// Every route that the API's description has is in the table of routes, and every scope in the page on keys.
func TestRoutes(t *testing.T) {
	described, err := os.ReadFile(filepath.Join(root, "appliance", "httpapi", "openapi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	routes := regexp.MustCompile(`(?m)^  (/[a-z_/{}]+[a-z}.]+):$`).FindAllStringSubmatch(string(described), -1)
	if len(routes) < 14 {
		t.Errorf("found %d routes: the search is broken", len(routes))
	}
	page := readPage(t, "docs/answers.md")
	for _, m := range routes {
		if !page.quotes(m[1]) {
			t.Errorf("docs/answers.md does not name the route %s", m[1])
		}
	}
	keys := readPage(t, "docs/operations/keys.md")
	for _, scope := range appliance.Scopes() {
		if !keys.quotes(string(scope)) {
			t.Errorf("docs/operations/keys.md does not name the scope %s", scope)
		}
	}
}

// quotes reports whether a page has a text as code in a line, behind a method or alone.
func (p *page) quotes(text string) bool {
	for _, l := range p.lines {
		for _, code := range inlineCode.FindAllString(l.text, -1) {
			if fields := strings.Fields(strings.Trim(code, "`")); len(fields) > 0 && fields[len(fields)-1] == text {
				return true
			}
		}
	}
	return false
}
