package docs_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	mostLine  = 140 // characters of a line of prose
	mostWords = 40  // of a sentence, above which it is listed
)

// dialect are words that only their authors understand.
var dialect = regexp.MustCompile(
	`(?i)\btells? whether\b|\b(other|another|first|second|third|\w*(four|fif|six|seven|eigh|nin|ten|eleven|twelf|teen|tie)th) hands?\b`,
)

// table, listItem and block tell what kind of line a line is; a table's rows are as long as they must be.
var (
	listItem = regexp.MustCompile(`^\s*([-*]|\d+\.) `)
	sentence = regexp.MustCompile(`[.!?]["')*_]*(\s|$)`)
)

func table(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "|") }

// Lines of prose are short enough to be read in a terminal and compared in a review, and no page uses words that only its
// authors understand. Long sentences are listed, as a warning.
func TestLanguage(t *testing.T) {
	read := 0
	for _, p := range pages(t) {
		for _, s := range p.sentences() {
			if words := dialect.FindString(s); words != "" {
				t.Errorf("%s: %q: say it in plain words: %s", p.name, words, s)
			}
		}
		if !p.own() { // the cards of the networks are held to the words alone
			continue
		}
		for i, l := range p.lines {
			if l.code || table(l.text) {
				continue
			}
			if n := utf8.RuneCountInString(l.text); n > mostLine {
				t.Errorf("%s:%d: %d characters, at most %d are allowed", p.name, i+1, n, mostLine)
			}
			if strings.Count(l.text, "`")%2 != 0 {
				t.Errorf("%s:%d: code in a line has no end, or is broken across lines", p.name, i+1)
			}
		}
		for _, s := range p.sentences() {
			read++
			if n := len(strings.Fields(s)); n > mostWords {
				t.Logf("%s: a sentence of %d words: %s", p.name, n, s)
			}
		}
	}
	if read < 300 {
		t.Errorf("read %d sentences: the search is broken", read)
	}
}

// Each source says that something reports whether a thing is so, as Go's own documentation has it.
func TestSourceLanguage(t *testing.T) {
	read := 0
	sources(t, func(name, text string) {
		if strings.HasPrefix(name, "docs/") || strings.Contains(name, "testdata") {
			return
		}
		read++
		for at, line := range strings.Split(text, "\n") {
			if strings.Contains(line, "tells whe"+"ther") {
				t.Errorf("%s:%d: say in plain words: %s", name, at+1, strings.TrimSpace(line))
			}
		}
	})
	if read < 900 {
		t.Errorf("read %d sources: the search is broken", read)
	}
}

// sentences returns the sentences of a page's prose. A heading, a list item and a cell of a table end one.
func (p *page) sentences() (all []string) {
	var text strings.Builder
	end := func() {
		s := strings.TrimSpace(text.String())
		text.Reset()
		for s != "" {
			at := sentence.FindStringIndex(s)
			if at == nil {
				at = []int{0, len(s)}
			}
			all = append(all, strings.TrimSpace(s[:at[1]]))
			s = strings.TrimSpace(s[at[1]:])
		}
	}
	for _, l := range p.lines {
		switch {
		case l.code || strings.TrimSpace(l.text) == "":
			end()
		case table(l.text):
			for cell := range strings.SplitSeq(l.text, "|") {
				end()
				text.WriteString(cell)
			}
			end()
		case strings.HasPrefix(l.text, "#") || listItem.MatchString(l.text):
			end()
			text.WriteString(l.text)
		default:
			text.WriteString(" " + strings.TrimSpace(l.text))
		}
	}
	end()
	return all
}
