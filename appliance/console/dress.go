package console

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
)

//go:embed web/text/ar.json web/text/en.json
var texts embed.FS

// Fonts returns the fonts of the pages, by the names of their files.
func Fonts() (map[string][]byte, error) {
	names, err := fs.Glob(built, "assets/*.woff2")
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("read the fonts of the pages: %d found", len(names))
	}
	fonts := map[string][]byte{}
	for _, name := range names {
		if fonts[path.Base(name)], err = built.ReadFile(name); err != nil {
			return nil, fmt.Errorf("read the fonts of the pages: %w", err)
		}
	}
	return fonts, nil
}

// Words returns the texts of the pages in a language, "ar" or "en", by their keys: "kind.passport", "field.name".
func Words(language string) (words map[string]string, err error) {
	text, err := texts.ReadFile("web/text/" + language + ".json")
	if err == nil {
		err = json.Unmarshal(text, &words)
	}
	if err != nil {
		return nil, fmt.Errorf("read the texts of the pages: %w", err)
	}
	return words, nil
}
