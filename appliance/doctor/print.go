package doctor

import (
	"fmt"
	"io"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/words"
)

// Print writes checks for a person, and tells whether none found anything broken.
func Print(w io.Writer, checks []appliance.Check) (ok bool) {
	ok = true
	var names []string
	for _, c := range checks {
		names = append(names, c.Name)
	}
	width := words.Column(14, names)
	for _, c := range checks {
		mark := "ok  "
		switch {
		case c.Broken():
			mark, ok = "FAIL", false
		case !c.OK:
			mark = "warn"
		}
		fmt.Fprintf(w, "%s %-*s %s\n", mark, width, c.Name, words.OneLine(c.Detail))
		if !c.OK && c.Hint != "" {
			fmt.Fprintf(w, "     hint: %s\n", words.OneLine(c.Hint))
		}
	}
	return ok
}
