package client

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

var write = flag.Bool("write", false, "write the generated types anew")

// TestTypes: the types of the three clients are those of the API's description.
func TestTypes(t *testing.T) {
	schemas := described(t)
	for name, want := range map[string]string{
		"types.go": goTypes(schemas), "python/bawab/types.py": pythonTypes(schemas), "typescript/types.d.ts": scriptTypes(schemas),
	} {
		if *write {
			if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s is stale: write it anew with `go test ./appliance/client -write` (%v)", name, err)
		}
	}
}

// schema is what the clients need of a schema.
type schema struct {
	name       string
	Doc        string         `yaml:"description"`
	Ref        string         `yaml:"$ref"`
	Type       yaml.Node      `yaml:"type"`
	Enum       []string       `yaml:"enum"`
	Names      []string       `yaml:"x-enum-varnames"`
	Required   []string       `yaml:"required"`
	Properties yaml.Node      `yaml:"properties"`
	Items      *schema        `yaml:"items"`
	Additional *schema        `yaml:"additionalProperties"`
	OneOf      []schema       `yaml:"oneOf"`
	Rest       map[string]any `yaml:",inline"`
}

// described reads the schemas of answers, in the order of the description.
func described(t *testing.T) (all []schema) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "httpapi", "openapi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Components struct {
			Schemas yaml.Node `yaml:"schemas"`
		} `yaml:"components"`
	}
	if err := yaml.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	for _, s := range members(t, &document.Components.Schemas) {
		if !strings.HasSuffix(s.name, "Request") && !strings.HasSuffix(s.name, "Answer") && s.name != "Failure" &&
			!strings.HasPrefix(s.name, "No") {
			all = append(all, s)
		}
	}
	if len(all) < 40 {
		t.Fatalf("%d schemas: the search is broken", len(all))
	}
	return all
}

// members returns the named schemas of a mapping in its order.
func members(t *testing.T, n *yaml.Node) (all []schema) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		var s schema
		if err := n.Content[i+1].Decode(&s); err != nil {
			t.Fatalf("%s: %v", n.Content[i].Value, err)
		}
		s.name = n.Content[i].Value
		all = append(all, s)
	}
	return all
}

// kind is the type of a schema, and whether it may be null.
func (s schema) kind() (kind string, null bool) {
	if s.Type.Kind == yaml.ScalarNode {
		return s.Type.Value, false
	}
	for _, n := range s.Type.Content {
		if n.Value == "null" {
			null = true
		} else {
			kind = n.Value
		}
	}
	return kind, null
}

func (s schema) ref() string { return strings.TrimPrefix(s.Ref, "#/components/schemas/") }

func (s schema) requires(name string) bool {
	for _, r := range s.Required {
		if r == name {
			return true
		}
	}
	return false
}

// properties are the members of an object in their order.
func (s schema) properties() (all []schema) {
	for i := 0; i+1 < len(s.Properties.Content); i += 2 {
		var p schema
		if err := s.Properties.Content[i+1].Decode(&p); err == nil {
			p.name = s.Properties.Content[i].Value
			all = append(all, p)
		}
	}
	return all
}

// language writes a type in a language: names of simple types, of a list, a map, a nullable one, and of alternatives.
type language struct {
	simple      map[string]string
	list, table string
	null        string
	literals    func(values []string, kind string) string
	either      func(of []string) string
}

func (l language) of(s schema) string {
	kind, null := s.kind()
	out := ""
	switch {
	case s.Ref != "":
		return s.ref()
	case len(s.OneOf) > 0:
		var of []string
		for _, o := range s.OneOf {
			of = append(of, o.ref())
		}
		return l.either(of)
	case len(s.Enum) > 0:
		out = l.literals(s.Enum, kind)
	case kind == "array":
		out = fmt.Sprintf(l.list, l.of(*s.Items))
	case s.Additional != nil:
		out = fmt.Sprintf(l.table, l.of(*s.Additional))
	default:
		out = l.simple[kind]
	}
	if null {
		out = fmt.Sprintf(l.null, out)
	}
	return out
}

// sentence is a description on one line.
func sentence(doc string) string { return strings.Join(strings.Fields(doc), " ") }

const generated = "generated from the API's description: `go test ./appliance/client -write`"

func pythonTypes(all []schema) string {
	l := language{
		simple: map[string]string{"string": "str", "integer": "int", "number": "float", "boolean": "bool", "object": "dict[str, object]"},
		list:   "List[%s]", table: "Dict[str, %s]", null: "Optional[%s]",
		literals: func(values []string, kind string) string {
			if kind == "string" {
				values = quoted(values)
			}
			return "Literal[" + strings.Join(values, ", ") + "]"
		},
		either: func(of []string) string { return "Union[" + strings.Join(of, ", ") + "]" },
	}
	var b strings.Builder
	b.WriteString("\"\"\"What answers hold, " + strings.ReplaceAll(generated, "`", "") + "\"\"\"\n\n" +
		"# ruff: noqa: E501\n\nfrom typing import Dict, List, Literal, Optional, TypedDict, Union\n\n")
	for _, s := range order(all) {
		if s.Properties.Content == nil {
			fmt.Fprintf(&b, "%s = %s\n", s.name, l.of(s))
			continue
		}
		base, optional := "TypedDict", ""
		for _, p := range s.properties() {
			if !s.requires(p.name) {
				optional = ", total=False"
			}
		}
		if optional != "" {
			fmt.Fprintf(&b, "\n\nclass _%s(TypedDict, total=False):\n", s.name)
			for _, p := range s.properties() {
				if !s.requires(p.name) {
					fmt.Fprintf(&b, "    %s: %s\n", p.name, l.of(p))
				}
			}
			base = "_" + s.name
		}
		fmt.Fprintf(&b, "\n\nclass %s(%s):\n", s.name, base)
		if s.Doc != "" {
			fmt.Fprintf(&b, "    \"\"\"%s\"\"\"\n\n", sentence(s.Doc))
		}
		for _, p := range s.properties() {
			if s.requires(p.name) {
				fmt.Fprintf(&b, "    %s: %s\n", p.name, l.of(p))
			}
		}
	}
	return b.String()
}

// order puts what is referred to before what refers to it.
func order(all []schema) (out []schema) {
	byName, done := map[string]schema{}, map[string]bool{}
	for _, s := range all {
		byName[s.name] = s
	}
	var put func(s schema)
	named := func(s schema) { // a schema that stands in its place has no name
		if r, ok := byName[s.ref()]; ok {
			put(r)
		}
	}
	need := func(s schema) {
		for p := &s; p != nil; p = p.Items {
			named(*p)
			if p.Additional != nil {
				named(*p.Additional)
			}
			for _, o := range p.OneOf {
				named(o)
			}
		}
	}
	put = func(s schema) {
		if done[s.name] {
			return
		}
		done[s.name] = true
		need(s)
		for _, p := range s.properties() {
			need(p)
		}
		out = append(out, s)
	}
	for _, s := range all {
		put(s)
	}
	return out
}

func quoted(values []string) (out []string) {
	for _, v := range values {
		out = append(out, `"`+v+`"`)
	}
	return out
}

func scriptTypes(all []schema) string {
	l := language{
		simple: map[string]string{
			"string":  "string",
			"integer": "number",
			"number":  "number",
			"boolean": "boolean",
			"object":  "Record<string, unknown>",
		},
		list: "Array<%s>", table: "Record<string, %s>", null: "%s | null",
		literals: func(values []string, kind string) string {
			if kind == "string" {
				values = quoted(values)
			}
			return strings.Join(values, " | ")
		},
		either: func(of []string) string { return strings.Join(of, " | ") },
	}
	var b strings.Builder
	b.WriteString("// What answers hold, " + generated + "\n")
	for _, s := range all {
		b.WriteString("\n")
		if s.Doc != "" {
			fmt.Fprintf(&b, "/** %s */\n", sentence(s.Doc))
		}
		if s.Properties.Content == nil {
			name := s.name
			if name == "Date" {
				name = "PrintedDate"
			}
			fmt.Fprintf(&b, "export type %s = %s;\n", name, l.of(s))
			continue
		}
		fmt.Fprintf(&b, "export interface %s {\n", s.name)
		for _, p := range s.properties() {
			mark, kind := "", l.of(p)
			if !s.requires(p.name) {
				mark = "?"
			}
			if kind == "Date" {
				kind = "PrintedDate"
			}
			fmt.Fprintf(&b, "  %s%s: %s;\n", p.name, mark, kind)
		}
		b.WriteString("}\n")
	}
	return b.String()
}

func goTypes(all []schema) string {
	l := language{
		simple: map[string]string{"string": "string", "integer": "int", "number": "float64", "boolean": "bool", "object": "map[string]any"},
		list:   "[]%s", table: "map[string]%s", null: "*%s",
		literals: func(_ []string, kind string) string {
			return map[string]string{"string": "string", "integer": "int", "number": "float64"}[kind]
		},
		either: func([]string) string { return "json.RawMessage" },
	}
	var b strings.Builder
	b.WriteString("// Code generated by `go test ./appliance/client -write`. DO NOT EDIT.\n\npackage client\n\n// What answers hold, from the API's description.\n\nimport \"encoding/json\"\n")
	for _, s := range all {
		b.WriteString("\n")
		doc := sentence(s.Doc)
		if doc == "" {
			doc = "is a part of answers"
		}
		fmt.Fprintf(&b, "// %s: %s.\n", s.name, strings.TrimSuffix(doc, "."))
		if s.Properties.Content == nil {
			fmt.Fprintf(&b, "type %s %s\n", s.name, alias(s, strings.ReplaceAll(l.of(s), "*[]", "[]")))
			constants(&b, s)
			continue
		}
		fmt.Fprintf(&b, "type %s struct {\n", s.name)
		names, kinds := 0, 0
		for _, p := range s.properties() {
			names, kinds = max(names, len(exported(p.name))), max(kinds, len(pointer(s, p, l.of(p))))
		}
		for _, p := range s.properties() {
			tag := p.name
			if !s.requires(p.name) {
				tag += ",omitempty"
			}
			fmt.Fprintf(&b, "\t%-*s %-*s `json:%q`\n", names, exported(p.name), kinds, pointer(s, p, l.of(p)), tag)
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// constants writes the values of an enumeration that has names for them: codes are numbers, with "Code" before the name.
func constants(b *strings.Builder, s schema) {
	if len(s.Names) == 0 {
		return
	}
	names, values := make([]string, len(s.Names)), make([]string, len(s.Names))
	width := 0
	for i, n := range s.Names {
		names[i], values[i] = n, strconv.Quote(s.Enum[i])
		if s.Type.Value == "integer" {
			names[i], values[i] = "Code"+exported(strings.ToLower(n)), s.Enum[i]
		}
		width = max(width, len(names[i]))
	}
	fmt.Fprintf(b, "\n// The values of %s.\nconst (\n", s.name)
	for i, n := range names {
		fmt.Fprintf(b, "\t%-*s %s = %s\n", width, n, s.name, values[i])
	}
	b.WriteString(")\n")
}

// alias makes a nullable simple type another name of its pointer, which an own type could not be.
func alias(s schema, kind string) string {
	if strings.HasPrefix(kind, "*") || kind == "string" && len(s.Enum) == 0 || kind == "json.RawMessage" {
		return "= " + kind
	}
	return kind
}

// pointer is the Go type of a property: one that may be missing is a pointer.
func pointer(s, p schema, kind string) string {
	if kind = strings.ReplaceAll(kind, "*[]", "[]"); !s.requires(p.name) && !strings.HasPrefix(kind, "[]") {
		return "*" + kind
	}
	return kind
}

// exported is the name of a member in Go.
func exported(name string) string {
	var b strings.Builder
	for _, part := range strings.Split(name, "_") {
		switch low := strings.ToLower(part); low {
		case "id", "ms", "mrz":
			part = strings.ToUpper(part)
		default:
			if part != "" {
				part = strings.ToUpper(part[:1]) + part[1:]
			}
		}
		b.WriteString(part)
	}
	return b.String()
}
