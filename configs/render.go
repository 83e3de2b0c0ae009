package configs

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// Table returns the keys as the Markdown table of docs/configuration.md.
func Table() string {
	var b strings.Builder
	b.WriteString("| key | default | allowed | meaning |\n|---|---|---|---|\n")
	for _, k := range keys() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", k.path, code(k.shown(k.fallback)), k.allowed(), k.doc)
	}
	return b.String()
}

// Schema returns a JSON schema (draft 2020-12) of the configuration file.
func Schema() string {
	root := object()
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "bawab.yaml"
	for _, k := range keys() {
		properties := root["properties"].(map[string]any)
		sections, name := k.place()
		for _, head := range sections {
			if properties[head] == nil {
				properties[head] = object()
			}
			properties = properties[head].(map[string]any)["properties"].(map[string]any)
		}
		properties[name] = k.schema()
	}
	out, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		return err.Error() // maps of texts and numbers always marshal
	}
	return string(out) + "\n"
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

func object() map[string]any {
	return map[string]any{"type": "object", "additionalProperties": false, "properties": map[string]any{}}
}

func (k key) schema() map[string]any {
	s := map[string]any{"description": k.doc + "; " + k.allowed(), "default": k.shown(k.fallback), "type": "string"}
	switch {
	case k.kind == list:
		s["type"], s["items"], s["default"] = "array", map[string]any{"type": "string"}, items(k.fallback)
	case k.kind == number:
		var n int64
		fmt.Sscan(k.fallback, &n)
		s["type"], s["default"], s["minimum"], s["maximum"] = "integer", n, k.lo, k.hi
	case k.kind == truth:
		s["type"], s["default"] = "boolean", k.fallback == "true"
	case k.kind == size:
		s["type"], s["pattern"] = []string{"string", "integer"}, "^[0-9]+ *([KMG]iB)?$"
	case k.kind == duration:
		s["pattern"] = "^([0-9.]+(ns|us|ms|s|m|h))+$"
	case len(k.choices) > 0:
		s["enum"] = k.choices
	}
	return s
}

// YAML returns the configuration as a file that Load reads back, each key under its meaning.
func (c *Config) YAML() string {
	var b strings.Builder
	var open []string // the sections that the last line lies in
	for _, k := range keys() {
		sections, name := k.place()
		for depth, head := range sections {
			if depth < len(open) && open[depth] == head {
				continue
			}
			if open = open[:min(depth, len(open))]; depth == 0 {
				b.WriteString("\n")
			}
			fmt.Fprintf(&b, "%s%s:\n", strings.Repeat("  ", depth), head)
			open = append(open, head)
		}
		open = open[:len(sections)]
		indent := strings.Repeat("  ", len(sections))
		fmt.Fprintf(&b, "%s# %s (%s)\n%s%s: %s\n", indent, k.doc, k.allowed(), indent, name, k.quoted(c.value(k.path)))
	}
	return b.String()
}

// place splits the path into the sections and the name below them.
func (k key) place() (sections []string, name string) {
	parts := strings.Split(k.path, ".")
	return parts[:len(parts)-1], parts[len(parts)-1]
}

func (k key) quoted(value string) string {
	if k.kind == list {
		return yamlList(value)
	}
	if k.kind == text || k.kind == address {
		out, err := json.Marshal(value)
		if err == nil && len(k.choices) == 0 {
			return string(out)
		}
	}
	return value
}

func (k key) shown(value string) string {
	if d, err := time.ParseDuration(value); k.kind == duration && err == nil {
		return short(d)
	}
	return value
}

// value returns the value at a dotted path as text, by the tags that Load decodes with.
func (c *Config) value(path string) string {
	v := reflect.ValueOf(c).Elem()
	for _, name := range strings.Split(path, ".") {
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("mapstructure") == name {
				v = v.Field(i)
				break
			}
		}
	}
	switch x := v.Interface().(type) {
	case time.Duration:
		return short(x)
	case []string:
		return strings.Join(x, ", ")
	}
	return fmt.Sprint(v.Interface())
}
