package egypt

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/ink"
	"github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/text"
)

// rowOfSigns knows what a row of signs may say that stand each for itself, such as those of a plate.
type rowOfSigns interface {
	// Match says, 0 to 1, how much a text is like such a row.
	Match(what string) float64
	// Decode finds what some looks at the row support best together, the first of them most, and what is like the signs as they stand there;
	// no text where they show nothing like it.
	Decode(looks []*text.Reading, signs []ink.Extent) field.Value
	// Lacks reports whether a text may lack a sign that was overlooked, and whether it surely does.
	Lacks(what string) (maybe, surely bool)
}

// apart reads signs that stand apart: the detector overlooks the outer ones, and the recogniser takes one alone in wide paper for another.
type apart struct{ signs rowOfSigns }

// Match implements field.Decoder.
func (a apart) Match(what string) float64 { return a.signs.Match(what) }

// How far signs may stand beside those that the detector saw, in heights, and the heights, as factors, in which a row in doubt is looked
// at.
const besideLeft, besideRight, bareRight, beyond = 0.6, 3.0, 8.0, 100.0

// seen is the probability of a row from which on it is not looked at again; half that from which on another look at it counts.
const seen, half = 0.98, 0.5

var apartHeights = [...]float64{0.67, 0.8, 1.1}

// Decode implements field.Decoder.
func (a apart) Decode(ctx context.Context, ink []*page.Ink, _ field.Known) (field.Value, error) {
	k := ink[0]
	signs := k.Signs(0, 0)
	v := a.signs.Decode(k.Looks(), signs)
	for _, height := range apartHeights {
		if v.Share > seen {
			break
		}
		if err := k.Look(ctx, height); err != nil {
			return field.Value{}, err
		}
		v = a.signs.Decode(k.Looks(), signs)
	}
	maybe, lacks := a.signs.Lacks(v.Text)
	if v.Share > seen && !maybe {
		return v, nil
	}
	right := besideRight
	if lacks {
		right = bareRight
	}
	wide, err := k.Wider(ctx, 0, right)
	if err != nil {
		return field.Value{}, err
	}
	if w := a.signs.Decode(wide.Looks(), wide.Signs(0, 0)); w.Share > half && (v.Text == "" || maybe && longer(w.Text, v.Text)) {
		v = inPlaceOf(v, w)
		_, lacks = a.signs.Lacks(v.Text)
	}
	if v.Share > seen && !lacks && len(k.Signs(besideLeft, beyond)) <= signsIn(v.Text) {
		return v, nil
	}
	return a.closedUp(ctx, k, v, lacks)
}

// closedUp reads a row once more with its signs moved together. Those of a value that lacks some count whatever they are.
func (a apart) closedUp(ctx context.Context, k *page.Ink, v field.Value, lacks bool) (field.Value, error) {
	wide, err := k.Wider(ctx, besideLeft, beyond)
	if err != nil {
		return field.Value{}, err
	}
	looks, signs, err := wide.ClosedUp(ctx)
	if err != nil || len(looks) == 0 {
		return v, err
	}
	c := a.signs.Decode(looks, signs)
	all := signsIn(c.Text) == len(signs)
	if c.Text == "" || c.Malformed || longer(v.Text, c.Text) {
		return v, nil
	}
	more := longer(c.Text, v.Text) || all && signsIn(v.Text) != len(signs)
	if c.Share > v.Share || lacks || more && c.Share > half {
		if v = inPlaceOf(v, c); !all {
			v.Strange++ // one may have been overlooked
		}
	}
	return v, nil
}

// inPlaceOf is a value that a wider look shows, which is in doubt where another one was surely read: what it has more may be a stain.
func inPlaceOf(v, wider field.Value) field.Value {
	if v.Share > seen {
		wider.Share = min(wider.Share, half)
	}
	return wider
}

// longer reports whether a row of signs is another one with signs more.
func longer(what, than string) bool { return len(what) > len(than) && strings.HasSuffix(what, than) }

// signsIn counts the signs of a row.
func signsIn(what string) int { return utf8.RuneCountInString(strings.ReplaceAll(what, " ", "")) }
