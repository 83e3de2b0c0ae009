package describe

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/text"
)

// What a description may have at most. A page takes no longer to read than these allow.
const (
	mostLabels   = 200
	mostWordings = 1000
	mostSigns    = 80 // of a wording
	mostFields   = 64
	mostLines    = 6 // of a value
	mostBytes    = 256 << 10
	// leastWording is how many letters and digits a wording has.
	leastWording = 2
	// leastTitle is how many signs a title has: it proves a kind alone.
	leastTitle = 5
)

// nameForm is how kinds and fields are named: as members of JSON and of paths are.
var nameForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,39}$`)

// Fault is what is wrong with a description.
type Fault struct {
	File   string
	Line   int // counted from 1; 0 for the file as a whole
	Reason string
}

// Error implements error.
func (f Fault) Error() string {
	if f.Line == 0 {
		return f.File + ": " + f.Reason
	}
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Reason)
}

// Load reads a description and its labels. docs/adding-a-document.md has the syntax. What is wrong is a Fault, the first one.
func Load(description, labels io.Reader, k field.Knowledge) (*form.Description, error) {
	l := &loader{Description: form.Description{Size: page.BankCard()}, knowledge: k, at: map[string]int{}, named: map[string]int{}}
	if err := lines("labels", labels, l.label); err != nil {
		return nil, err
	}
	if err := lines("description", description, l.statement); err != nil {
		return nil, err
	}
	if err := l.check(); err != nil {
		return nil, err
	}
	l.chooseHolder()
	return form.New(l.Description, k), nil
}

// loader reads a description line by line.
type loader struct {
	form.Description
	knowledge field.Knowledge
	at        map[string]int // the line of each field
	named     map[string]int // the line of each label
	wordings  map[string]int // the line of each wording
	spelled   map[string]spelling
	line      int
	listed    int // values so far
	sized     bool
}

// spelling is the first wording of those that are spelled alike.
type spelling struct {
	label, wording string
	line           int
}

// lines gives the lines of a file, without comments and blank ones, to a function, and says where it fails.
func lines(file string, r io.Reader, each func(n int, line string) string) error {
	all, err := io.ReadAll(io.LimitReader(r, mostBytes+1))
	switch {
	case err != nil:
		return Fault{file, 0, err.Error()}
	case len(all) > mostBytes:
		return Fault{file, 0, fmt.Sprintf("larger than %d KiB", mostBytes>>10)}
	}
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(string(all), "\ufeff")) { // some editors begin UTF-8 with a byte order mark
		n++
		if !utf8.ValidString(line) {
			return Fault{file, n, "not UTF-8"}
		}
		text, _, _ := strings.Cut(line, "#")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if reason := each(n, text); reason != "" {
			return Fault{file, n, reason}
		}
	}
	return nil
}

// label reads one label: its name, a colon, and its wordings parted by strokes.
func (l *loader) label(n int, line string) string {
	name, texts, ok := strings.Cut(line, ":")
	name = strings.TrimSpace(name)
	switch {
	case !ok || name == "" || strings.ContainsAny(name, " \t"):
		return "want a name without blanks, a colon and wordings"
	case l.named[name] > 0:
		return fmt.Sprintf("label %s stands in line %d already", name, l.named[name])
	case len(l.Labels) == mostLabels:
		return fmt.Sprintf("more than %d labels", mostLabels)
	}
	l.named[name] = n
	if l.wordings == nil {
		l.wordings, l.spelled = map[string]int{}, map[string]spelling{}
	}
	label := form.Label{Name: name}
	for _, w := range strings.Split(texts, "|") {
		w = strings.Join(strings.Fields(w), " ")
		switch {
		case w == "":
			return fmt.Sprintf("label %s has an empty wording", name)
		case len([]rune(w)) > mostSigns:
			return fmt.Sprintf("label %s has a wording of more than %d signs", name, mostSigns)
		case l.wordings[w] > 0:
			return fmt.Sprintf("%q stands in line %d already", w, l.wordings[w])
		case len(l.wordings) == mostWordings:
			return fmt.Sprintf("more than %d wordings", mostWordings)
		}
		folded := l.fold(w)
		switch same := l.spelled[folded]; {
		case len([]rune(folded)) < leastWording:
			return fmt.Sprintf("label %s: %q would be found in any print: a wording has %d letters or digits at least", name, w, leastWording)
		case same.line == 0:
			l.spelled[folded] = spelling{name, w, n}
		case same.label != name:
			return fmt.Sprintf("%q is spelled like %q of label %s in line %d, and either is found where the other is printed",
				w, same.wording, same.label, same.line)
		}
		l.wordings[w] = n
		label.Wordings = append(label.Wordings, w)
	}
	l.Labels = append(l.Labels, label)
	return ""
}

// fold is a wording without what makes no difference where it is looked for: its marks, and which variant of a sign is printed.
func (l *loader) fold(wording string) string {
	spelled := strings.Map(func(r rune) rune {
		if unicode.IsPunct(r) {
			return -1
		}
		return slices.Min(l.knowledge.Variants(r))
	}, wording)
	return strings.Join(strings.Fields(spelled), " ")
}

// statement reads one line of a description.
func (l *loader) statement(n int, line string) string {
	words := strings.Fields(line)
	l.line = n
	switch arguments := words[1:]; words[0] {
	case "kind":
		return l.kind(arguments)
	case "size":
		return l.size(arguments)
	case "title":
		return l.titles(arguments)
	case "cut", "headed":
		return l.trait(words)
	case "field":
		return l.field(arguments)
	case "agree":
		return l.agree(arguments)
	case "order":
		return l.order(arguments)
	case "begin":
		return l.begin(arguments)
	case "series":
		return l.series(arguments)
	case "row":
		return l.row(arguments)
	case "values", "often":
		return l.values(line)
	case "rule":
		return l.rule(arguments)
	case "misread":
		return l.misread(arguments)
	default:
		if reason, ok := l.marks(words[0], arguments); ok {
			return reason
		}
	}
	return fmt.Sprintf("there is no statement %q", words[0])
}

// trait reads a statement that is all of it words of its own.
func (l *loader) trait(words []string) string {
	switch strings.Join(words, " ") {
	case "cut scripts":
		l.Scripts = true
	case "headed":
		l.Headed = true
	default:
		return "want: " + map[string]string{"cut": "cut scripts", "headed": "headed"}[words[0]]
	}
	return ""
}

// mostMisread is the largest share of the places where a sign is read that may be other ones.
const mostMisread = 0.5

// misread reads: misread READ PRINTED SHARE [PRINTED SHARE]...
func (l *loader) misread(arguments []string) string {
	const want = "want: misread READ PRINTED SHARE [PRINTED SHARE]..."
	if len(arguments) < 3 || len(arguments)%2 == 0 {
		return want
	}
	read, size := utf8.DecodeRuneInString(arguments[0])
	printed, sum := map[rune]float64{}, 0.0
	for i := 1; i < len(arguments); i += 2 {
		sign, n := utf8.DecodeRuneInString(arguments[i])
		share, err := strconv.ParseFloat(arguments[i+1], 64)
		switch {
		case size != len(arguments[0]) || n != len(arguments[i]):
			return want
		case sign == read || printed[sign] > 0 || l.Misread[read] != nil:
			return fmt.Sprintf("%c as %c is said twice", sign, read)
		case err != nil || !(share > 0) || sum+share > mostMisread:
			return fmt.Sprintf("shares are above 0 and at most %v together, got %q", mostMisread, arguments[i+1])
		}
		printed[sign], sum = share, sum+share
	}
	l.Misread = l.Misread.With(text.Misread{read: printed})
	return ""
}

func (l *loader) kind(arguments []string) string {
	switch {
	case len(arguments) != 1:
		return "want: kind NAME"
	case l.Kind != "":
		return "the kind is named already"
	case !nameForm.MatchString(arguments[0]):
		return fmt.Sprintf("the kind's name %q is not a letter and then letters, digits and _, 40 at most", arguments[0])
	case l.knowledge.Taken != nil && l.knowledge.Taken(appliance.Kind(arguments[0])):
		return fmt.Sprintf("%s is the name of something that this program knows: take another", arguments[0])
	}
	l.Kind = appliance.Kind(arguments[0])
	return ""
}

// The sizes that a document may have, in millimetres: from a tag to a sheet of A3.
const (
	leastSide, mostSide = 20, 420
	mostPrint           = 4
	mostSlim            = 4 // how many times as long as it is wide
)

// size reads how large the documents are: size WIDTH HEIGHT, and how many times as high as that of licences their print is.
func (l *loader) size(arguments []string) string {
	switch {
	case len(arguments) != 2 && len(arguments) != 3:
		return "want: size WIDTH HEIGHT [PRINT], in millimetres"
	case l.sized:
		return "the size is given already"
	}
	l.sized = true
	var sides [2]float64
	for i, a := range arguments[:2] {
		v, err := strconv.ParseFloat(a, 64)
		if err != nil || !(v >= leastSide && v <= mostSide) {
			return fmt.Sprintf("a side must be %d to %d millimetres, got %q", leastSide, mostSide, a)
		}
		sides[i] = v
	}
	l.Size = page.Size{Long: max(sides[0], sides[1]), Short: min(sides[0], sides[1])}
	if len(arguments) == 3 {
		v, err := strconv.ParseFloat(arguments[2], 64)
		if err != nil || !(v >= 1 && v <= mostPrint) {
			return fmt.Sprintf("print is 1 to %d times as large as that of licences, got %q", mostPrint, arguments[2])
		}
		l.Size.Print = v
	}
	if l.Size.Long > mostSlim*l.Size.Short {
		return fmt.Sprintf("a document is at most %d times as long as it is wide", mostSlim)
	}
	return ""
}

func (l *loader) titles(arguments []string) string {
	if len(arguments) == 0 {
		return "want: title LABEL..."
	}
	for _, name := range arguments {
		if l.named[name] == 0 {
			return fmt.Sprintf("there is no label %s", name)
		}
		if w := l.shortest(name); len([]rune(w)) < leastTitle {
			return fmt.Sprintf("title %s: %q would be found on other documents: a title has %d signs at least", name, w, leastTitle)
		}
	}
	l.Titles = append(l.Titles, arguments...)
	return ""
}

// shortest is the shortest wording of a label.
func (l *loader) shortest(label string) string {
	i := slices.IndexFunc(l.Labels, func(o form.Label) bool { return o.Name == label })
	return slices.MinFunc(l.Labels[i].Wordings, func(a, b string) int { return cmp.Compare(len([]rune(a)), len([]rune(b))) })
}

// field reads: field NAME DECODER, and then in any order: label NAME..., leads NAME..., lines N, at X Y SPREADX SPREADY, follows FIELD,
// drawn ROLE, proves, required, holder, sought.
func (l *loader) field(arguments []string) string {
	if len(arguments) < 2 {
		return "want: field NAME DECODER ..."
	}
	f := form.Field{Name: arguments[0], Decoder: arguments[1], Lines: 1}
	switch {
	case !nameForm.MatchString(f.Name):
		return fmt.Sprintf("the field's name %q is not a letter and then letters, digits and _, 40 at most", f.Name)
	case appliance.AnswerMember(f.Name):
		return fmt.Sprintf("field %s: every answer has a member of this name already", f.Name)
	case l.at[f.Name] > 0:
		return fmt.Sprintf("field %s stands in line %d already", f.Name, l.at[f.Name])
	case l.knowledge.Decoders[f.Decoder] == nil && l.knowledge.Lists[f.Decoder] == nil && l.knowledge.Follows[f.Decoder] == nil:
		return fmt.Sprintf("field %s: there is no decoder %s", f.Name, f.Decoder)
	case len(l.Fields) == mostFields:
		return fmt.Sprintf("more than %d fields", mostFields)
	}
	l.at[f.Name] = l.line
	if reason := l.options(&f, arguments[2:]); reason != "" {
		return "field " + f.Name + ": " + reason
	}
	l.Fields = append(l.Fields, f)
	return ""
}

func (l *loader) options(f *form.Field, rest []string) string {
	for len(rest) > 0 {
		option := rest[0]
		takes, ok := optionWords[option]
		if !ok {
			return fmt.Sprintf("there is no option %q: choose %s", option, strings.Join(slices.Sorted(maps.Keys(optionWords)), ", "))
		}
		n := 1
		for n < len(rest) && n != 1+takes && !isOption(rest[n]) {
			n++
		}
		arguments := rest[1:n]
		rest = rest[n:]
		if reason := l.option(f, option, arguments); reason != "" {
			return reason
		}
	}
	return ""
}

// optionWords is how many words an option of a field takes, anyNumber those up to the next option.
var optionWords = map[string]int{
	"label": anyNumber, "leads": anyNumber, "lines": 1, "at": 4, "follows": 1, "drawn": 1, "proves": 0, "required": 0,
	"holder": 0, "sought": 0,
}

const anyNumber = -1

func isOption(word string) bool {
	_, ok := optionWords[word]
	return ok
}

func (l *loader) option(f *form.Field, option string, arguments []string) string {
	if n := optionWords[option]; n != anyNumber && len(arguments) != n {
		return fmt.Sprintf("%s takes %d words, got %d", option, n, len(arguments))
	}
	if flag := flagOf(f, option); flag != nil {
		*flag = true
		return ""
	}
	switch option {
	case "label":
		return l.name(&f.Labels, option, arguments)
	case "leads":
		return l.name(&f.Leads, option, arguments)
	case "lines":
		n, err := strconv.Atoi(arguments[0])
		if err != nil || n < 1 || n > mostLines {
			return fmt.Sprintf("lines must be 1 to %d, got %q", mostLines, arguments[0])
		}
		f.Lines = n
	case "at":
		return place(f, arguments)
	case "follows":
		f.Follows = arguments[0]
	case "drawn":
		f.Drawn = arguments[0]
	case "holder":
		return l.holder(f)
	}
	return ""
}

// flagOf is what an option without words sets; nil for others.
func flagOf(f *form.Field, option string) *bool {
	return map[string]*bool{"proves": &f.Proves, "required": &f.Required, "sought": &f.Sought}[option]
}

// holder makes a field the one that tells whose the document is.
func (l *loader) holder(f *form.Field) string {
	if i := slices.IndexFunc(l.Fields, func(o form.Field) bool { return o.Holder }); i >= 0 {
		return fmt.Sprintf("field %s names the holder already", l.Fields[i].Name)
	}
	f.Holder = true
	return ""
}

// chooseHolder takes the first field of the surest decoder for the holder where no field was named so.
func (l *loader) chooseHolder() {
	at := slices.IndexFunc(l.Fields, func(f form.Field) bool { return f.Holder })
	for _, decoder := range l.knowledge.Holders {
		if at < 0 {
			at = slices.IndexFunc(l.Fields, func(f form.Field) bool { return f.Decoder == decoder })
		}
	}
	if at >= 0 {
		l.Fields[at].Holder = true
	}
}

// name adds the labels that an option names, or says which of them is not there.
func (l *loader) name(to *[]string, option string, labels []string) string {
	if len(labels) == 0 {
		return option + " names no label"
	}
	for _, name := range labels {
		if l.named[name] == 0 {
			return fmt.Sprintf("there is no label %s", name)
		}
	}
	*to = append(*to, labels...)
	return ""
}

// place reads where a field mostly stands.
func place(f *form.Field, arguments []string) string {
	var v [4]float64
	for i, a := range arguments {
		n, err := strconv.ParseFloat(a, 64)
		if err != nil {
			return fmt.Sprintf("%q is no number", a)
		}
		v[i] = n
	}
	for i := range 2 {
		if !(v[i] >= 0 && v[i] <= 1) {
			return fmt.Sprintf("the place %v, %v lies outside the document, which reaches from 0 to 1", v[0], v[1])
		}
		if !(v[2+i] > 0 && v[2+i] <= 1) {
			return fmt.Sprintf("the spread %v, %v must be above 0 and at most 1", v[2], v[3])
		}
	}
	f.Place = &form.Region{X: v[0], Y: v[1], SpreadX: v[2], SpreadY: v[3]}
	return ""
}

func (l *loader) agree(arguments []string) string {
	switch {
	case len(arguments) != 3 || arguments[0] == arguments[1]:
		return "want: agree FIELD FIELD BY"
	case l.knowledge.Agreements[arguments[2]].Compare == nil:
		return fmt.Sprintf("there is no agreement %s", arguments[2])
	}
	if reason := l.fields(arguments[:2]); reason != "" {
		return reason
	}
	of := l.knowledge.Agreements[arguments[2]].Of
	for i, want := range of {
		if f := l.find(arguments[i]); f.Decoder != want {
			return fmt.Sprintf("%s compares a %s with a %s, and field %s is a %s", arguments[2], of[0], of[1], f.Name, f.Decoder)
		}
	}
	l.Agrees = append(l.Agrees, form.Agreement{A: arguments[0], B: arguments[1], By: arguments[2]})
	return ""
}

func (l *loader) order(arguments []string) string {
	if len(arguments) != 2 || arguments[0] == arguments[1] {
		return "want: order FIELD FIELD"
	}
	l.Orders = append(l.Orders, form.Order{First: arguments[0], Second: arguments[1]})
	later := map[string][]string{}
	for _, o := range l.Orders {
		later[o.First] = append(later[o.First], o.Second)
	}
	if circular(arguments[0], later) {
		return fmt.Sprintf("field %s would come before itself", arguments[0])
	}
	return l.fields(arguments)
}

func (l *loader) begin(arguments []string) string {
	if len(arguments) != 2 || arguments[0] == arguments[1] {
		return "want: begin FIELD FIELD"
	}
	if reason := l.fields(arguments); reason != "" {
		return reason
	}
	if a, b := l.find(arguments[0]), l.find(arguments[1]); l.knowledge.Types[a.Decoder] != l.knowledge.Types[b.Decoder] {
		return fmt.Sprintf("fields %s and %s hold no lines of one value", a.Name, b.Name)
	}
	l.Begins = append(l.Begins, form.Begin{First: arguments[0], Rest: arguments[1]})
	return ""
}

// series reads: series FIELD FIELD ...
func (l *loader) series(names []string) string {
	if len(names) < 2 {
		return "want: series FIELD FIELD ..."
	}
	if reason := l.fields(names); reason != "" {
		return reason
	}
	first := l.find(names[0])
	for i, name := range names {
		taken := slices.Contains(names[:i], name) || slices.ContainsFunc(l.Series, func(s []string) bool { return slices.Contains(s, name) })
		switch f := l.find(name); {
		case taken:
			return fmt.Sprintf("field %s stands in a series already", name)
		case f.Decoder != first.Decoder:
			return fmt.Sprintf("fields %s and %s hold no lines of one kind", first.Name, name)
		}
	}
	l.Series = append(l.Series, names)
	return ""
}

func (l *loader) row(arguments []string) string {
	if len(arguments) < 2 {
		return "want: row FIELD FIELD..."
	}
	l.Rows = append(l.Rows, arguments)
	return l.fields(arguments)
}

// circular reports whether one comes back to a name by going from each to the next ones.
func circular(name string, next map[string][]string) bool {
	seen, open := map[string]bool{}, next[name]
	for len(open) > 0 {
		at := open[0]
		if at == name {
			return true
		}
		if open = open[1:]; !seen[at] {
			seen[at], open = true, append(open, next[at]...)
		}
	}
	return false
}

func (l *loader) rule(arguments []string) string {
	switch {
	case len(arguments) != 2:
		return "want: rule FIELD CHECK"
	case l.knowledge.Checks[arguments[1]].Fails == nil:
		return fmt.Sprintf("there is no check %s", arguments[1])
	}
	if reason := l.fields(arguments[:1]); reason != "" {
		return reason
	}
	decoder := l.find(arguments[0]).Decoder
	if of := l.knowledge.Checks[arguments[1]].Of; decoder != of {
		return fmt.Sprintf("%s looks at a %s, and field %s is a %s", arguments[1], of, arguments[0], decoder)
	}
	l.Rules = append(l.Rules, form.Rule{Field: arguments[0], Check: arguments[1]})
	return ""
}

// find is the field of a name that is described above; nil where there is none.
func (l *loader) find(name string) *form.Field {
	for i := range l.Fields {
		if l.Fields[i].Name == name {
			return &l.Fields[i]
		}
	}
	return nil
}

// fields tells which of some fields is not described above.
func (l *loader) fields(names []string) string {
	for _, name := range names {
		if l.at[name] == 0 {
			return fmt.Sprintf("no field %s is described above", name)
		}
	}
	return ""
}

// check looks at what only the whole description shows.
func (l *loader) check() error {
	if l.Kind == "" {
		return Fault{"description", 0, "no kind is named"}
	}
	if len(l.Fields) == 0 {
		return Fault{"description", 0, "no field is described"}
	}
	owner, follows := map[string]string{}, map[string][]string{}
	for _, f := range l.Fields {
		for _, name := range f.Leads {
			if o := owner[name]; o != "" {
				return Fault{"description", l.at[f.Name], fmt.Sprintf("field %s: values of field %s begin with label %s as well", f.Name, o, name)}
			}
			owner[name] = f.Name
		}
		if f.Follows == "" {
			continue
		}
		if l.at[f.Follows] == 0 {
			return Fault{"description", l.at[f.Name], fmt.Sprintf("field %s: there is no field %s to follow", f.Name, f.Follows)}
		}
		follows[f.Name] = []string{f.Follows}
	}
	for _, f := range l.Fields {
		if circular(f.Name, follows) {
			return Fault{"description", l.at[f.Name], fmt.Sprintf("field %s follows itself", f.Name)}
		}
	}
	if !l.provable() {
		return Fault{"description", 0, fmt.Sprintf("nothing can prove the kind: name a title, or %d fields that prove it", form.EnoughProofs)}
	}
	return l.listless()
}

// provable reports whether any print could prove the kind.
func (l *loader) provable() bool {
	proofs := 0
	for _, f := range l.Fields {
		if f.Proves {
			proofs++
		}
	}
	return len(l.Titles) > 0 || proofs >= form.EnoughProofs
}
