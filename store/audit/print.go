package audit

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Print prints one entry for a person, or as JSON.
func Print(out io.Writer, r Record, asJSON bool) error {
	if asJSON {
		text, err := json.Marshal(r)
		if err != nil {
			return fmt.Errorf("print entry: %w", err)
		}
		_, err = fmt.Fprintf(out, "%s\n", text)
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d  %s  %s", r.Seq, r.At.UTC().Format("2006-01-02 15:04:05.000Z"), r.Kind)
	if r.Subject != "" {
		b.WriteString("  " + r.Subject)
	}
	names := make([]string, 0, len(r.Detail))
	for name := range r.Detail {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		b.WriteString("  " + name + "=" + r.Detail[name])
	}
	if r.Transaction != "" {
		b.WriteString("  transaction=" + r.Transaction)
	}
	_, err := fmt.Fprintln(out, b.String())
	return err
}
