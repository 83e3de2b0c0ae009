package words

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// OneLine puts several lines into one, as those of joined errors, with semicolons where nothing else parts them.
func OneLine(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		line = strings.Join(strings.Fields(line), " ")
		if line == "" {
			continue
		}
		if text := b.String(); text != "" && !strings.ContainsAny(text[len(text)-1:], ":;,") {
			b.WriteString(";")
		}
		if b.Len() > 0 {
			b.WriteString(" ")
		}
		b.WriteString(line)
	}
	return b.String()
}

// PrintJSON prints JSON with a line break, indented unless compact.
func PrintJSON(w io.Writer, text []byte, compact bool) error {
	var b bytes.Buffer
	if compact {
		b.Write(text)
	} else if err := json.Indent(&b, text, "", "  "); err != nil {
		return fmt.Errorf("print answer: %w", err)
	}
	b.WriteByte('\n')
	_, err := b.WriteTo(w)
	return err
}
