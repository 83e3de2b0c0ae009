package text

import (
	"math"
	"strings"
	"unicode"

	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/ctc"
)

// Formed returns the likeliest text of a form. Small letters count as capitals, digits by their value, and an upright stroke as
// I; both sums, over the texts and over their CTC paths, are exact. The text is "" where the line has no room for the form.
func (r *Reading) Formed(f egypt.Form) egypt.Formed {
	var signs []rune
	for _, allowed := range f {
		for _, s := range allowed {
			if !strings.ContainsRune(string(signs), s) {
				signs = append(signs, s)
			}
		}
	}
	lattice := merged(r.lattice, r.alphabet, 1+len(signs), func(s rune) int {
		return 1 + strings.IndexRune(string(signs), plainSign(s)) // signs are ASCII: their bytes are their places
	})
	may := make([][]bool, len(f))
	for i, allowed := range f {
		may[i] = make([]bool, len(signs))
		for s, sign := range signs {
			may[i][s] = strings.ContainsRune(allowed, sign)
		}
	}
	total, classes := lattice.Form(may)
	if classes == nil || math.IsInf(total, -1) {
		return egypt.Formed{}
	}
	var out strings.Builder
	for _, c := range classes {
		out.WriteRune(signs[c-1])
	}
	return egypt.Formed{Text: out.String(), Share: min(1, math.Exp(lattice.Score(classes)-total)), Fits: min(1, math.Exp(total))}
}

// plainSign is the capital or Western digit that a sign counts as.
func plainSign(r rune) rune {
	if r == '|' {
		return 'I'
	}
	for _, d := range arabic.FoldDigits(string(r)) {
		return unicode.ToUpper(d)
	}
	return r
}

// merged is the lattice in which each sign counts as the class that to gives it, 0 for a blank.
func merged(l *ctc.Lattice, alphabet []rune, classes int, to func(sign rune) int) *ctc.Lattice {
	return l.Merge(classes, func(class int) int { return to(alphabet[class-1]) })
}
