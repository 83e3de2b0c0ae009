package describe

import (
	"cmp"
	"fmt"
	"io"
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
