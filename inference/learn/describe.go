package learn

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/truth"
	"github.com/bawab/bawab/inference/documents"
	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/inference/site"
	"github.com/bawab/bawab/models"
)

// Described is what a site's documents print of the kinds that its model set brings: wordings of labels, and whole values. It stands in the
// descriptions of the pack, in the language in which an integrator writes them.
type Described struct{ Labels, Values []site.Printed }

// learnedLabel begins the names of labels that hold wordings which a site learned; the name of the field stands behind.
const learnedLabel = "learned_"

// describe loads the kinds that the set brings.
func (l *Learning) describe() error {
	all, err := documents.LoadKinds(l.Set.Kinds())
	l.described = map[appliance.Kind]*form.Description{}
	for _, d := range all {
		l.described[d.Kind] = d
	}
	return err
}

// brought are the data models of these kinds.
func (l *Learning) brought() (all []appliance.KindModel) {
	for kind, d := range l.described {
		all = append(all, appliance.KindModel{Kind: kind, Fields: d.Model()})
	}
	return all
}

// labelOf names the field that its labels announce, "" where it has none: what leads a value belongs to it.
func labelOf(d *form.Description, field string) string {
	i := slices.IndexFunc(d.Fields, func(f form.Field) bool { return f.Name == field })
	if i < 0 || len(d.Fields[i].Labels) == 0 {
		return ""
	}
	for _, l := range d.Fields[i].Labels {
		if slices.Contains(d.Fields[i].Leads, l) {
			return ""
		}
	}
	return field
}

// oftenOf lists what at least leastPersons persons have: the values of fields that are lines of words or list theirs, and the words of
// names, addresses and occupations.
func (l *Learning) oftenOf(lines []truth.Line) (values, words []site.Printed) {
	whole, single := tally[site.Printed]{}, tally[site.Printed]{}
	for _, line := range lines {
		doc := line.Documents[0]
		d := l.described[doc.Kind]
		if d == nil {
			continue
		}
		for _, f := range d.Fields {
			printed := site.Printed{Kind: doc.Kind, Field: f.Name, Text: strings.Join(strings.Fields(doc.Fields[f.Name]), " ")}
			switch {
			case f.Decoder == "line" || len(f.Values) > 0:
				if site.Value(printed.Text) && unknown(f, printed.Text) {
					whole.add(printed, line.Person)
				}
			case d.Expects(f.Decoder):
				addWords(single, printed, f, line.Person)
			}
		}
	}
	return ordered(whole.told()), ordered(single.told())
}

// unknown reports whether a description does not list a value of a field.
func unknown(f form.Field, value string) bool {
	return !slices.Contains(f.Values, value) && !slices.Contains(f.Often, value)
}

// addWords counts the words of a value that the description does not list.
func addWords(to tally[site.Printed], printed site.Printed, f form.Field, person string) {
	for _, word := range strings.Fields(printed.Text) {
		if (site.Word{In: "names", Text: word, Often: 1}).Valid() && unknown(f, word) {
			printed.Text = word
			to.add(printed, person)
		}
	}
}

// of are the files of kinds with what was learned in them.
func (d Described) of(files map[string][]byte) map[string][]byte {
	out := maps.Clone(files)
	for name := range files {
		if path.Base(name) == models.DescriptionFile {
			folder := path.Dir(name)
			labels, kind := path.Join(folder, models.LabelsFile), appliance.Kind(path.Base(folder))
			out[labels], out[name] = d.labelled(kind, out[labels], out[name])
			out[name] = d.valued(kind, out[name])
		}
	}
	return out
}

// labelled adds the wordings to the labels of a kind and to the fields that they announce.
func (d Described) labelled(kind appliance.Kind, labels, description []byte) (newLabels, newDescription []byte) {
	wordings := map[string][]string{}
	for _, p := range d.Labels {
		if p.Kind == kind {
			wordings[p.Field] = append(wordings[p.Field], p.Text)
		}
	}
	for _, field := range slices.Sorted(maps.Keys(wordings)) {
		name, text := learnedLabel+field, strings.Join(wordings[field], " | ")
		had := false
		labels, had = appended(labels, name+":", " | "+text)
		if !had {
			labels = fmt.Appendf(bytes.TrimRight(labels, "\n"), "\n%s: %s\n", name, text)
			description, _ = appended(description, "field "+field+" ", " label "+name)
		}
	}
	return labels, description
}

// valued adds the values to the description of a kind.
func (d Described) valued(kind appliance.Kind, description []byte) []byte {
	statement, values := map[string]string{}, map[string][]string{}
	for _, p := range d.Values {
		if p.Kind == kind {
			values[p.Field] = append(values[p.Field], p.Text)
			statement[p.Field] = "often"
			if _, listed := appended(description, "values "+p.Field+" ", ""); listed {
				statement[p.Field] = "values"
			}
		}
	}
	for _, field := range slices.Sorted(maps.Keys(values)) {
		description = fmt.Appendf(bytes.TrimRight(description, "\n"), "\n%s %s %s\n", statement[field], field, strings.Join(values[field], " | "))
	}
	return description
}

// appended adds a text to the first line of a file that begins with some words, before its comment.
func appended(file []byte, begin, text string) (_ []byte, found bool) {
	lines := strings.SplitAfter(string(file), "\n")
	for i, line := range lines {
		statement, _, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "#")
		if strings.HasPrefix(strings.Join(strings.Fields(statement), " ")+" ", begin) {
			lines[i] = strings.TrimRight(statement, " \t") + text + line[len(statement):]
			return []byte(strings.Join(lines, "")), true
		}
	}
	return file, false
}
