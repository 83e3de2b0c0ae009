package truth

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/words"
)

// PrintReport says how much was written, and what was left out and why.
func PrintReport(w io.Writer, r Report) {
	fmt.Fprintf(w, "written: %s\n", words.Count(r.Written, "document", "documents"))
	for _, left := range []struct {
		n   int
		why string
	}{
		{r.Open, "nobody has decided about"},
		{r.Few, "too few people have decided about"},
		{r.Disputed, "people differ about"},
		{r.Unreadable, "cannot be read"},
		{r.OtherDocument, "show another document"},
		{r.Faces, "are of faces"},
		{r.Pages, "stand on a page behind the first"},
		{r.OtherHalf, "are of a person who belongs to the other half on that day"},
	} {
		if left.n > 0 {
			fmt.Fprintf(w, "left out: %d that %s\n", left.n, left.why)
		}
	}
}

// PrintStats writes the counts of a set as tables.
func PrintStats(w io.Writer, s Stats) {
	fmt.Fprintf(w, "read by: %s\n", strings.Join(s.Releases, ", "))
	for _, half := range Halves() {
		n := 0
		for _, of := range s.Documents[half] {
			n += of
		}
		fmt.Fprintf(
			w,
			"%-4s %s, %s, %s\n",
			half,
			words.Count(
				n,
				"document",
				"documents",
			),
			words.Count(s.Persons[half], "person", "persons"),
			words.Count(s.Days[half], "day", "days"),
		)
	}
	fmt.Fprintf(
		w,
		"\n%-18s %-20s %-4s %6s  %-22s %-22s %s\n",
		"KIND",
		"FIELD",
		"HALF",
		"N",
		"EXACT",
		"RIGHT BUT FLAGGED",
		"WRONG AND SILENT",
	)
	for _, c := range s.Fields {
		fmt.Fprintf(w, "%-18s %-20s %-4s %6d  %-22s %-22s %s\n", c.Kind, c.Field, c.Half, c.N,
			Rate(c.Exact, c.N), Rate(c.RightFlagged, c.N), Rate(c.WrongSilent, c.N))
	}
	fmt.Fprintln(w)
	var people []string
	for name := range s.People {
		people = append(people, name)
	}
	slices.Sort(people)
	for _, name := range people {
		fmt.Fprintf(w, "%s decided about %s\n", name, words.Count(s.People[name], "document", "documents"))
	}
}

// Rate writes a share with its interval.
func Rate(k, n int) string {
	lo, hi := Wilson(k, n)
	return fmt.Sprintf("%.1f %% (%.1f-%.1f)", 100*float64(k)/float64(n), 100*lo, 100*hi)
}
