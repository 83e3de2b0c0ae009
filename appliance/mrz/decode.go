package mrz

import (
	"math"
	"time"
)

// Decode finds the reading of a zone that its cells and the grammar support best.
func Decode(z Zone, now time.Time) Reading {
	f := z.Format
	raw := make([]string, f.Lines())
	lines := make([]string, f.Lines())
	for i := range lines {
		r, l := make([]byte, f.Width()), make([]byte, f.Width())
		for pos := range l {
			class := f.Class(i, pos)
			best, bestIn := float32(math.Inf(-1)), float32(math.Inf(-1))
			r[pos], l[pos] = '<', '<'
			for s := range symbols {
				if !class.Bit(s) && l[pos] == '<' && !class.Has('<') && class.Has('0') {
					l[pos] = '0'
				}
				if i < len(z.Cells) && pos < len(z.Cells[i]) {
					p := z.Cells[i][pos][s]
					if p > best {
						best, r[pos] = p, Alphabet[s]
					}
					if class.Bit(s) && p > bestIn {
						bestIn, l[pos] = p, Alphabet[s]
					}
				}
			}
		}
		raw[i], lines[i] = string(r), string(l)
	}
	return interpret(f, f.layout().resolve(lines), lines, raw, now)
}
