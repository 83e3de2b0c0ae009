package site

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/bawab/bawab/appliance"
)

// Misread is a letter that is often another one where it is read in the faces of the site's documents.
type Misread struct {
	Kind    appliance.Kind `json:"kind"`
	Read    string         `json:"read"`
	Printed string         `json:"printed"`
	// Share is how often the one is printed where the other is read, 0 to 1, and N how often it was read.
	Share float64 `json:"share"`
	N     int     `json:"n"`
}

// letterForm is a letter that may be misread. Digits are read by a network of their own.
var letterForm = regexp.MustCompile(`^[\x{0621}-\x{063a}\x{0641}-\x{064a}]$`)

// mostMisread is the most of the places where a letter is read that may be others: what reads nothing else is no evidence.
const mostMisread = 0.98

func (m Misread) check() error {
	switch {
	case !letterForm.MatchString(m.Read) || !letterForm.MatchString(m.Printed) || m.Read == m.Printed:
		return errors.New("what is misread is not two Arabic letters")
	case !(m.Share > 0 && m.Share <= mostMisread):
		return fmt.Errorf("%s is printed for %s in a share of %g, not up to %g", m.Printed, m.Read, m.Share, mostMisread)
	}
	return nil
}

// tooOften finds a pair that stands twice, and a letter that would be others nearly always.
func tooOften(all []Misread) error {
	seen, sum := map[Misread]bool{}, map[Misread]float64{}
	for _, m := range all {
		pair, read := Misread{Kind: m.Kind, Read: m.Read, Printed: m.Printed}, Misread{Kind: m.Kind, Read: m.Read}
		if sum[read] += m.Share; seen[pair] || sum[read] > mostMisread {
			return fmt.Errorf("%s of %s stands twice, or is others in a share of more than %g", m.Read, m.Kind, mostMisread)
		}
		seen[pair] = true
	}
	return nil
}

// Misread is what is misread in the faces of the site's documents of a kind; nil where nothing is known.
func (r *Rules) Misread(kind appliance.Kind) map[rune]map[rune]float64 {
	var out map[rune]map[rune]float64
	for _, m := range r.file.Misread {
		if m.Kind != kind {
			continue
		}
		if out == nil {
			out = map[rune]map[rune]float64{}
		}
		read, printed := []rune(m.Read)[0], []rune(m.Printed)[0]
		if out[read] == nil {
			out[read] = map[rune]float64{}
		}
		out[read][printed] = m.Share
	}
	return out
}
