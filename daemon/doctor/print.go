package doctor

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/words"
)

// Print writes checks for a person, and reports whether none found anything broken.
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

// PrintJSON writes checks for a program, in the form bawab-doctor/1.
func PrintJSON(w io.Writer, checks []appliance.Check) error {
	type line struct {
		Name   string `json:"name"`
		OK     bool   `json:"ok"`
		Detail string `json:"detail"`
		Hint   string `json:"hint,omitempty"`
		Minor  bool   `json:"minor,omitempty"`
	}
	report := struct {
		Form   string `json:"form"`
		Checks []line `json:"checks"`
	}{Form: "bawab-doctor/1"}
	for _, c := range checks {
		if c.OK {
			c.Hint = "" // it says what to do about a failure
		}
		report.Checks = append(report.Checks, line{c.Name, c.OK, c.Detail, c.Hint, c.Minor})
	}
	text, err := json.Marshal(report)
	if err != nil {
		return fmt.Errorf("print checks: %w", err)
	}
	return words.PrintJSON(w, text, false)
}
