package configs

import (
	"fmt"
	"strings"
)

// Problem is one thing wrong with a configuration.
type Problem struct {
	// Path is the dotted path or the name of the environment variable; "" for the file as a whole.
	Path string
	// Value is what was found; "" when it is not shown.
	Value string
	// Msg says what is wrong and what is allowed.
	Msg string
	// Hint says what to do.
	Hint string
}

// String joins path, value and message.
func (p Problem) String() string {
	switch {
	case p.Path == "":
		return p.Msg
	case p.Value == "":
		return p.Path + " " + p.Msg
	}
	return fmt.Sprintf("%s is %q: %s", p.Path, p.Value, p.Msg)
}

// Error lists every problem of a configuration; there is at least one.
type Error struct {
	Problems []Problem
}

// Error puts the problems into one line.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "; ")
}

func known(table []key, path string) bool {
	for _, k := range table {
		if k.path == path {
			return true
		}
	}
	return false
}

func section(table []key, path string) bool {
	for _, k := range table {
		if strings.HasPrefix(k.path, path+".") {
			return true
		}
	}
	return false
}

// nearest returns the known key with the smallest edit distance; dots and underscores count alike, so that it also
// serves environment variables.
func nearest(table []key, path string) string {
	flat := strings.NewReplacer(".", "_")
	var names []string
	for _, k := range table {
		names = append(names, flat.Replace(k.path))
	}
	at, _ := Nearest(names, flat.Replace(path))
	return table[at].path
}

// Nearest returns the place of the name that was most likely meant by one that is none, and how many letters apart they are. Of no
// names the place is -1.
func Nearest(names []string, meant string) (at, apart int) {
	at = -1
	for i, name := range names {
		if d := distance(meant, name); at < 0 || d < apart {
			at, apart = i, d
		}
	}
	return at, apart
}

// distance is the Levenshtein distance of two strings in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
