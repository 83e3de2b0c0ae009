package field

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/text"
)

// Grammar knows what a number or a date may be.
type Grammar interface {
	// Match says, 0 to 1, how much a text is like such a number.
	Match(what string) float64
	// Lengths are the numbers of digits that it may have, the likeliest first.
	Lengths() []int
	// Decode finds the number that the ink and the grammar support best.
	Decode(f Figures, known Known) Value
	// Spell does so for what the reader of words read; its value is "" where that is no such number.
	Spell(r *text.Reading, known Known) Value
}

// Number reads digits under a grammar: numbers and dates.
type Number struct {
	Grammar Grammar
	// Short tells that numbers have few digits: they are looked for beyond the ends of the line, since the detector overlooks small ones, and
	// the reader of words knows as much of them as that of digits.
	Short bool
	// Words is the share from which on what the reader of words reads is believed without a look at the digits; 0 looks at all.
	Words float64
}

// Match implements Decoder.
func (n Number) Match(what string) float64 { return n.Grammar.Match(what) }

// Decode implements Decoder. It looks again where digits were not surely read; the looks that agree on their number are taken
// together, since what a network sees by chance in one sampling of faint text is rarely there in the next.
func (n Number) Decode(ctx context.Context, ink []*page.Ink, known Known) (Value, error) {
	k := ink[0]
	other := n.Grammar.Spell(k.Reading(), known)
	if n.Words > 0 && other.Text != "" && other.Share >= n.Words {
		other.Ink, other.Spelled = logOf(other.Share), 1
		return other, nil
	}
	all, digits, best, err := n.looks(ctx, k)
	if err != nil {
		return Value{}, err
	}
	slices.SortStableFunc(all, func(a, b look) int { return cmp.Compare(b.merit, a.merit) })
	f := Figures{all[0].clipped}
	for _, l := range all[1:] {
		if l.LogLength(digits) > math.Log(k.Judged().CountedDigits) {
			f = append(f, l.clipped)
		}
	}
	v := n.Grammar.Decode(f, known)
	v.Ink = best
	// The reader of words knows less of digits and more of what stands about them. Where the two disagree, a number is doubtful.
	return n.both(v, other), nil
}

// looks are looks at a number until one is sure, the number of digits of the best, and how likely that is.
func (n Number) looks(ctx context.Context, k *page.Ink) (all []look, digits int, best float64, err error) {
	best = math.Inf(-1)
	for _, round := range views(k.Judged()) {
		for _, v := range round {
			d, l, err := v.look(ctx, k, n.Short)
			if err != nil {
				return nil, 0, 0, err
			}
			f := clip(d, l, k.Judged().SignBeyond)
			m, count := f.merit(n.Grammar.Lengths())
			if m > best {
				best, digits = m, count
			}
			all = append(all, look{f, m})
			if best > math.Log(k.Judged().SureDigits) {
				break
			}
		}
		if best > math.Log(k.Judged().CountedDigits) {
			break
		}
	}
	return all, digits, best, nil
}

// both is what the readers of digits and of words make of a number together.
func (n Number) both(v, other Value) Value {
	switch {
	case other.Text == "":
	case other.Text == v.Text:
		if v.Spelled = 1; n.Short {
			v.Share, v.Strange = max(v.Share, other.Share), min(v.Strange, other.Strange)
		}
	case v.Text == "" || other.Share > v.Share || breaksGrammar(v):
		other.Ink, other.Spelled = v.Ink, -1
		return other
	default:
		v.Spelled = -1
	}
	return v
}

// GrammarCheck is the check whether a number keeps its grammar. A grammar that may return one that does not adds it in Decode.
const GrammarCheck = "grammar"

// breaksGrammar reports whether a number is none by its grammar, as what the reader of words read is where it has a value.
func breaksGrammar(v Value) bool {
	return slices.Contains(v.Checks, appliance.FieldCheck{Name: GrammarCheck})
}

// view is a way to look at a line of digits: as it was detected, or where its letters stand.
type view struct {
	higher, room float64
	level        bool
}

func (v view) look(ctx context.Context, k *page.Ink, short bool) (*text.Digits, text.Line, error) {
	if v.level {
		return k.LevelDigits(ctx, v.higher)
	}
	if short && v.room == 0 {
		return k.DigitsReaching(ctx, v.higher, k.Judged().DigitsReach)
	}
	return k.Digits(ctx, v.higher, v.room)
}

// views are the ways to look at a line of digits: as it was detected, lower, where signs stand far apart, where letters stand, and, where
// that does not help, higher and with room for signs at the ends that were overlooked.
func views(j *page.Judged) [][]view {
	return [][]view{
		{{higher: 1}, {higher: j.LowDigits}, {higher: j.LetterDigits, level: true}},
		{{higher: j.HighDigits}, {higher: 1, room: j.DigitsRoom}, {higher: j.LowDigits, room: j.DigitsRoom}, {higher: 1, room: j.DigitsWide}},
	}
}

// look is one look at a number, and how likely its best digits are.
type look struct {
	clipped
	merit float64
}

// clipped is one reading of digits, of which some stand beyond the ends of the line and count no more: the window is wider than most lines.
type clipped struct {
	*text.Digits
	before, after int
	shown         string
}

// clip leaves out what stands more than so many heights beyond the ends of a line.
func clip(d *text.Digits, l text.Line, beyond float64) clipped {
	o := clipped{Digits: d}
	room := beyond * l.Height / max(l.Length(), 1)
	for _, s := range d.Symbols() {
		digit := 0
		if s.Rune >= '0' && s.Rune <= '9' {
			digit = 1
		}
		switch middle := (s.Start + s.End) / 2; {
		case middle < -room:
			o.before += digit
		case middle > 1+room:
			o.after += digit
		default:
			o.shown += string(s.Rune)
		}
	}
	return o
}

// LogLength is the log-probability of n digits within the line.
func (o clipped) LogLength(n int) float64 { return o.Digits.LogLength(n + o.before + o.after) }

// cells are the log-probabilities of the digits within the line if they are n.
func (o clipped) cells(n int) [][10]float64 {
	out := make([][10]float64, n)
	for i, c := range o.Cells(n + o.before + o.after)[o.before : o.before+n] {
		out[i] = c
	}
	return out
}

// merit is the log-probability of the likeliest digits of one of several lengths, and that length.
func (o clipped) merit(lengths []int) (best float64, n int) {
	return text.Likeliest(lengths, o.LogLength, o.cells)
}

// Figures are the looks at a number together, the best first, which stands for the signs.
type Figures []clipped

// Text is what the best look shows: Western digits, '/' and '-'.
func (f Figures) Text() string { return f[0].shown }

// LogLength is the mean log-probability of n digits.
func (f Figures) LogLength(n int) float64 {
	return f.mean(func(o clipped) float64 { return o.LogLength(n) })
}

// Score is the mean log-probability of exactly these digits.
func (f Figures) Score(digits string) float64 {
	return f.mean(func(o clipped) float64 {
		shown := strings.Map(onlyDigits, o.Text())
		if o.before+o.after > len(shown) {
			return math.Inf(-1)
		}
		return o.Digits.Score(shown[:o.before] + digits + shown[len(shown)-o.after:])
	})
}

func (f Figures) mean(of func(clipped) float64) float64 {
	sum := 0.0
	for _, o := range f {
		sum += of(o)
	}
	return sum / float64(len(f))
}

// Cells is the mean log-probability of each digit at each position if n are printed, brought to a sum of one.
func (f Figures) Cells(n int) [][10]float64 {
	looks := make([][][10]float64, len(f))
	for i, o := range f {
		looks[i] = o.cells(n)
	}
	return text.MeanCells(looks)
}

// onlyDigits keeps Western digits and drops everything else.
func onlyDigits(r rune) rune {
	if r < '0' || r > '9' {
		return -1
	}
	return r
}
