package configs

import (
	"fmt"
	"strings"
)

// Setting is one key of a loaded configuration, for people to look at.
type Setting struct {
	Path, Value, Fallback, Meaning string
	// Allowed says which values the key takes.
	Allowed Allowed
	// Origin says where the value comes from.
	Origin Origin
}

// Allowed says which values a key takes: a text with verbs, and what fills them.
type Allowed struct {
	Format string
	Args   []any
}

// String is the text in English.
func (a Allowed) String() string { return fmt.Sprintf(a.Format, a.Args...) }

// Origin is where a value comes from. A later source covers an earlier one.
type Origin string

// The origins.
const (
	OfDefault     Origin = "default"
	OfFile        Origin = "file"
	OfEnvironment Origin = "environment"
	OfFlag        Origin = "flag"
)

// Settings lists all keys in the order of the table.
func (c *Config) Settings() []Setting {
	table := keys()
	list := make([]Setting, len(table))
	for i, k := range table {
		list[i] = Setting{
			Path: k.path, Value: c.value(k.path), Fallback: k.shown(k.fallback), Allowed: k.takes(), Meaning: k.doc, Origin: OfDefault,
		}
		if o, ok := c.origins[k.path]; ok {
			list[i].Origin = o
		}
	}
	return list
}

// origins finds out where each value comes from that is not the default; inFile tells the keys of the file.
func (s Sources) origins(table []key, inFile func(path string) bool) map[string]Origin {
	found := map[string]Origin{}
	for _, k := range table {
		if inFile(k.path) {
			found[k.path] = OfFile
		}
		for _, entry := range s.Environ {
			if value, ok := strings.CutPrefix(entry, k.env()+"="); ok && value != "" {
				found[k.path] = OfEnvironment
			}
		}
		if _, ok := s.Flags[k.path]; ok {
			found[k.path] = OfFlag
		}
	}
	return found
}
