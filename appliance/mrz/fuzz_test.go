package mrz

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"
)

// Whatever text comes, Parse neither panics nor changes a symbol: it refuses, or its lines are those of the text.
func FuzzParse(f *testing.F) {
	for _, s := range specimens() {
		text := joined(s.lines)
		f.Add(text)
		f.Add(strings.ToLower(text))
		f.Add(strings.ReplaceAll(text, "<", "0"))
		f.Add(strings.ReplaceAll(text, "0", "O"))
		f.Add(text[1:])
		f.Add(text[:len(text)-1])
		f.Add(strings.Map(func(r rune) rune {
			if r == '\n' {
				return r
			}
			return '<'
		}, text))
	}
	f.Add("")
	f.Add("\n\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Parse(strings.Split(text, "\n"), noon)
		if err != nil {
			return
		}
		if len(r.Lines) != r.Format.Lines() {
			t.Fatalf("%d lines of %v", len(r.Lines), r.Format)
		}
		at := strings.ToUpper(text)
		for _, line := range r.Lines {
			i := strings.Index(at, line)
			if len(line) != r.Format.Width() || i < 0 {
				t.Fatalf("%q is not of the text", line)
			}
			at = at[i+len(line):]
		}
		for _, field := range r.fields() {
			if date := field == &r.BirthDate || field == &r.ExpiryDate; date && field.Value != "" && len(field.Value) != 10 {
				t.Fatalf("date %q", field.Value)
			}
		}
	})
}

// Whatever cells come, Decode neither panics nor leaves the grammar: widths and classes always hold.
func FuzzDecode(f *testing.F) {
	f.Add(byte(2), []byte{})
	f.Add(byte(0), []byte{0, 0, 192, 127, 0, 0, 128, 127, 0, 0, 128, 255})
	f.Add(byte(1), []byte(joined(specimenTD3.lines)))
	f.Add(byte(3), []byte{255, 255, 127, 127, 1, 0, 0, 0})
	f.Add(byte(9), []byte{1})
	f.Fuzz(func(t *testing.T, format byte, noise []byte) {
		z := Zone{Format: Format(format % 6)}
		if len(noise) >= 4 {
			z.Cells = make([][]Cell, 3)
			at := 0
			for i := range z.Cells {
				z.Cells[i] = make([]Cell, 44)
				for k := range z.Cells[i] {
					for s := range z.Cells[i][k] {
						z.Cells[i][k][s] = math.Float32frombits(binary.LittleEndian.Uint32(noise[at:]))
						if at += 3; at+4 > len(noise) {
							at = (at + 1) % min(4, len(noise)-3)
						}
					}
				}
			}
		}
		r := Decode(z, noon)
		checkShape(t, r)
		if r.Format.Lines() > 0 && (math.IsNaN(r.LogProb) || r.LogProb > 1e-6) {
			t.Fatalf("log probability %v", r.LogProb)
		}
		for _, repair := range r.Repairs {
			if repair.From == repair.To || r.Lines[repair.Line][repair.Pos] != repair.To {
				t.Fatalf("repair %+v", repair)
			}
		}
	})
}
