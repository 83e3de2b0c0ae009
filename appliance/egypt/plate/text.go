package plate

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/arabic"
)

// Text is a plate as a line of text shows it.
type Text struct {
	Plate
	// Confidence is the probability in 0..1 that the plate is right.
	Confidence float64
	// Repaired reports whether the grammar of plates changed what was read.
	Repaired bool
}

// Weights set by judgement on 20 November 2026.
const (
	// brokenRules is the weight of a text that breaks the rules of plates against one that keeps them.
	brokenRules = 0.01
	mostRounds  = 2
	mostNear    = 12 // of one look that are held against the others
)

// Look is one reading of a line that shows a plate.
type Look struct {
	Text       string
	Confidence float64
	// Score is the log-probability that the ink gives to a text; nil: Text stands alone.
	Score func(string) float64
}

// DecodeText finds the plate that a line of text shows, seen once or several times: of those that keep the rules the one
// that the ink of all looks supports best, looked for around the best reading of each, unless it is clear that the text breaks
// the rules. The first look counts as the best one. beside is how likely each plate is by what else is known, as against the others; nil
// where that is nothing. ok is false where the text is nothing like a plate.
func DecodeText(beside func(Plate) float64, looks ...Look) (p Text, ok bool) {
	if len(looks) == 0 {
		return p, false
	}
	first := looks[0]
	read, exact := Parse(formOf(first.Text).usual(first.Text))
	printed := Text{Plate: read, Confidence: first.Confidence}
	candidates := map[string]Plate{}
	var inks []func(Plate) float64
	stroke, shown := strokeBefore(looks), ""
	for _, l := range looks {
		shown += l.Text
	}
	for _, l := range looks {
		if l.Score == nil {
			return printed, exact
		}
		forms := l.forms(stroke)
		ink := l.ink(forms, shown, beside)
		inks = append(inks, ink)
		for _, c := range climb(forms[0].usual(l.Text), ink) {
			candidates[c.String()] = c
		}
	}
	plates := slices.SortedFunc(maps.Values(candidates), func(a, b Plate) int { return strings.Compare(a.String(), b.String()) })
	inks = telling(inks, plates)
	best, top, listed := Plate{}, 0.0, 0.0
	most := likeliest(plates, beside)
	for _, c := range plates {
		v := pooledInk(c, inks) / most
		listed += v
		if v > top {
			best, top = c, v
		}
	}
	if best.Number == "" || exact && !read.Valid() && top < brokenRules*first.Confidence {
		return printed, exact
	}
	return Text{best, min(1, top/(listed+brokenRules*max(0, 1-listed))), best.String() != read.String()}, true
}

// likeliest is how likely the likeliest of some plates is by what is known beside their ink.
func likeliest(plates []Plate, beside func(Plate) float64) float64 {
	if beside == nil || len(plates) == 0 {
		return 1
	}
	most := 1e-9
	for _, p := range plates {
		most = max(most, beside(p))
	}
	return most
}

// strokeBefore is what stands between letters and number in the first of some looks that shows a stroke there; "" where none does.
func strokeBefore(looks []Look) string {
	for _, l := range looks {
		if gap := formOf(l.Text).gap; strings.ContainsAny(gap, strokeSigns) {
			return gap
		}
	}
	return ""
}

// forms are those in which the line of a look may be written, the one that its reading shows first. stroke is what another look shows
// between letters and number: in this one it may look like a digit.
func (l Look) forms(stroke string) []lineForm {
	form := formOf(l.Text)
	forms := []lineForm{form}
	if usual := (lineForm{eastern: form.eastern, strokes: form.strokes, dashes: form.dashes, gap: " "}); form != usual { // what looks like a stroke may be a stain
		forms = append(forms, usual)
	}
	if stroke != "" && !strings.ContainsAny(form.gap, strokeSigns) {
		form.gap = stroke
		forms = append(forms, form)
	}
	return forms
}

// telling leaves out the looks that show none of the plates, but for the first: they have missed the text, cut at a height that it has not.
func telling(inks []func(Plate) float64, plates []Plate) (out []func(Plate) float64) {
	const shown = 1e-3
	for i, ink := range inks {
		if i == 0 || slices.ContainsFunc(plates, func(p Plate) bool { return ink(p) > shown }) {
			out = append(out, ink)
		}
	}
	return out
}

// leastInk is the log-probability below which one look does not speak against a plate that others show: it may have missed
// the text.
const leastInk = -12.0

// pooledInk is the geometric mean of the probabilities that looks give to a plate.
func pooledInk(p Plate, inks []func(Plate) float64) float64 {
	sum := 0.0
	for _, ink := range inks {
		sum += max(leastInk, math.Log(ink(p)))
	}
	return math.Exp(sum / float64(len(inks)))
}

// ink is the probability that a look gives to each plate, however its line is written in any of some forms and with the signs that the
// looks show, as far as what is known beside it allows; each is worked out once.
func (l Look) ink(forms []lineForm, shown string, beside func(Plate) float64) func(Plate) float64 {
	known := map[string]float64{}
	return func(p Plate) float64 {
		key := p.String()
		sum, ok := known[key]
		if !ok {
			for _, s := range p.spellings(forms, shown) {
				sum += s.often * math.Exp(min(0, l.Score(s.text)))
			}
			if beside != nil {
				sum *= beside(p)
			}
			known[key] = sum
		}
		return sum
	}
}

// climb lists the plates that keep the rules around the one that a reading is most like: those that differ from it in a sign.
func climb(text string, ink func(Plate) float64) []Plate {
	best, top := Plate{}, 0.0
	for _, t := range untwinned(text) {
		for _, start := range nearTo(t) {
			if v := ink(start); v > top || best.Number == "" {
				best, top = start, v
			}
		}
	}
	if best.Number == "" {
		return nil
	}
	var around []Plate
	for range mostRounds {
		from := best
		around = slices.DeleteFunc(from.neighbours(), func(n Plate) bool { return !n.Valid() })
		for _, n := range around {
			if v := ink(n); v > top {
				best, top = n, v
			}
		}
		if best.String() == from.String() {
			break
		}
	}
	slices.SortStableFunc(around, func(a, b Plate) int { return cmp.Compare(ink(b), ink(a)) })
	return around[:min(len(around), mostNear)]
}

// untwinned lists a text and what it says where signs that stand alone are taken for the letters as which they may be read.
func untwinned(text string) []string {
	words := strings.Fields(text)
	all := [][]string{nil}
	for _, w := range words {
		may := []string{w}
		if signs := []rune(w); len(signs) == 1 && len(words) > 2 {
			for _, l := range letterSigns {
				if slices.ContainsFunc(twins(l), func(t twin) bool { return t.sign == signs[0] }) {
					may = append(may, string(l))
				}
			}
		}
		var next [][]string
		for _, before := range all[:min(len(all), mostNear)] {
			for _, m := range may {
				next = append(next, append(slices.Clone(before), m))
			}
		}
		all = next
	}
	out := []string{text}
	for _, words := range all[1:] {
		out = append(out, strings.Join(words, " "))
	}
	return out
}

// nearTo lists plates that keep the rules and whose signs a text holds in their order, whatever else it holds.
func nearTo(text string) (out []Plate) {
	var letters []rune
	number := ""
	for _, r := range arabic.FoldDigits(arabic.Nominal(text)) {
		if r >= '1' && r <= '9' {
			number += string(r)
		} else if l, _ := letterOf(r); l != 0 && strings.ContainsRune(letterSigns, l) {
			letters = append(letters, l)
		}
	}
	if len(letters) > 2*mostLetters || len(number) > 2*mostDigits {
		return nil
	}
	for _, l := range parts(letters, mostLetters) {
		for _, n := range parts([]rune(number), mostDigits) {
			if p := (Plate{l, string(n)}); p.Valid() {
				out = append(out, p)
			}
		}
	}
	return out
}

// parts lists the ways to leave out signs so that at most n are left.
func parts(signs []rune, n int) [][]rune {
	if len(signs) <= n {
		return [][]rune{signs}
	}
	var out [][]rune
	for i := range signs {
		rest := append(append([]rune{}, signs[:i]...), signs[i+1:]...)
		out = append(out, parts(rest, n)...)
	}
	return out
}

// lineForm is how a line writes a plate, as far as one reading of it tells.
type lineForm struct {
	eastern bool   // its digits
	first   bool   // the number stands right of the letters, and is read before them
	apart   bool   // blanks part the digits, which then are read from right to left
	strokes bool   // strokes part the letters
	dashes  bool   // likewise
	gap     string // what stands between letters and number
}

// strokeSigns are the signs as which strokes between the letters of a plate are read; an alef is one that plates have.
const strokeSigns = "/\\|"

// formOf is the form of a reading in logical order.
func formOf(text string) (f lineForm) {
	signs, letter, number := []rune(arabic.FoldDigits(text)), [2]int{-1, -1}, [2]int{-1, -1}
	digits, blanks, letters := 0, 0, 0
	f.eastern, f.gap = string(signs) != text, " "
	for i, r := range signs {
		at := &letter
		if r >= '0' && r <= '9' {
			at = &number
			digits++
		} else if l, _ := letterOf(r); l == 0 {
			continue
		} else {
			letters++
		}
		if at[0] < 0 {
			at[0] = i
		}
		at[1] = i
	}
	if letter[0] < 0 || number[0] < 0 {
		return f
	}
	f.first = number[0] < letter[0]
	f.dashes = strings.Contains(string(signs[letter[0]:letter[1]]), "-")
	f.strokes = strings.ContainsAny(string(signs[letter[0]:letter[1]]), strokeSigns) || letters > mostLetters
	for _, r := range signs[number[0]:number[1]] {
		if r == ' ' {
			blanks++
		}
	}
	f.apart = digits > 1 && blanks == digits-1
	from, to := letter[1]+1, number[0]
	if f.first {
		from, to = number[1]+1, letter[0]
	}
	if from < to && strings.TrimSpace(string(signs[from:to])) != "" {
		f.gap = string(signs[from:to])
	}
	return f
}

// usual is a reading of that form with its digits together, in the order in which they are said.
func (f lineForm) usual(text string) string {
	if !f.apart {
		return text
	}
	var digits, rest []rune
	for _, r := range arabic.FoldDigits(text) {
		if r >= '0' && r <= '9' {
			digits = append(digits, r)
		} else {
			rest = append(rest, r)
		}
	}
	slices.Reverse(digits)
	return string(rest) + " " + string(digits)
}

// write puts letters and a number together as the form has them.
func (f lineForm) write(letters, number string) string {
	if f.eastern {
		number = strings.Map(func(r rune) rune { return r - '0' + '٠' }, number)
	}
	if f.apart {
		digits := strings.Split(number, "")
		slices.Reverse(digits)
		number = strings.Join(digits, " ")
	}
	if f.first {
		return number + f.gap + letters
	}
	return letters + f.gap + number
}

// twin is a sign as which recognisers take a letter that stands alone, and how often they do as against the letter of which they do most.
type twin struct {
	sign  rune
	often float64
}

// twins are the signs as which recognisers take letters of plates. Of 1,800 letters on 240 fronts of vehicle licences whose plates were
// set wide, in 17 faces, 5 was read for ه 21 and for د 6 times, 9 for و 19 times, 4 for ج 13 and for ع 10 times, J for ر 20 times, S for ى
// 4 times (28 November 2026).
func twins(letter rune) []twin {
	switch letter {
	case 'أ':
		return []twin{{'ا', 1}}
	case 'ى':
		return []twin{{'ي', 1}, {'S', 1}}
	case 'ه':
		return []twin{{'٥', 1}}
	case 'د':
		return []twin{{'٥', 0.3}}
	case 'و':
		return []twin{{'٩', 1}, {'9', 1}, {'g', 1}}
	case 'ج':
		return []twin{{'٤', 1}, {'چ', 1}}
	case 'ع':
		return []twin{{'٤', 0.8}}
	case 'ر':
		return []twin{{'J', 1}}
	case 'ف':
		return []twin{{'ڤ', 1}}
	case 'ب':
		return []twin{{'پ', 1}}
	}
	return nil
}

// spelling is a way to write the line of a plate, and how likely it is as against the plain one.
type spelling struct {
	text  string
	often float64
}

// spellings lists the ways in which recognisers write the line of a plate of some forms: with and without blanks between the letters, a
// letter as a sign that looks like it and that some look shows, or each letter that has one as its first.
func (p Plate) spellings(forms []lineForm, shown string) []spelling {
	letters := []spelling{{string(p.Letters), 1}}
	all, twinned := spelling{"", 1}, 0
	for i, l := range p.Letters {
		rest := p.Letters[i+1:]
		of := slices.DeleteFunc(twins(l), func(t twin) bool { return !strings.ContainsRune(shown, t.sign) })
		for _, t := range of {
			letters = append(letters, spelling{string(p.Letters[:i]) + string(t.sign) + string(rest), t.often})
		}
		first := twin{l, 1}
		if len(of) > 0 {
			first, twinned = of[0], twinned+1
		}
		all.text, all.often = all.text+string(first.sign), all.often*first.often
	}
	if twinned > 1 {
		letters = append(letters, all)
	}
	var out []spelling
	for _, l := range letters {
		signs := []rune(l.text)
		texts := spaced(signs, "", " ")
		if slices.ContainsFunc(forms, func(f lineForm) bool { return f.strokes }) {
			texts = append(texts, spaced(signs, "/", " / ", "/ ", " /")...)
		}
		if slices.ContainsFunc(forms, func(f lineForm) bool { return f.dashes }) {
			texts = append(texts, spaced(signs, "-", " - ", "- ", " -")...)
		}
		for _, text := range texts {
			for _, f := range forms {
				out = append(out, spelling{f.write(text, p.Number), l.often})
			}
		}
	}
	return out
}

// spaced lists the ways to put one of some texts into each gap between letters.
func spaced(letters []rune, between ...string) []string {
	out := []string{""}
	for i, r := range letters {
		var next []string
		for _, text := range out {
			if i == 0 {
				next = append(next, string(r))
				continue
			}
			for _, b := range between {
				next = append(next, text+b+string(r))
			}
		}
		out = next
	}
	return out
}

// neighbours lists the plates that differ from one in a sign: another one, one less, one more. The plate itself is among them.
func (p Plate) neighbours() []Plate {
	out := []Plate{p}
	letters, digits := []rune(letterSigns), []rune("123456789")
	for _, v := range arabic.Edits(p.Letters, letters) {
		out = append(out, Plate{v, p.Number})
	}
	for _, v := range arabic.Edits([]rune(p.Number), digits) {
		out = append(out, Plate{p.Letters, string(v)})
	}
	return out
}
