package egypt

import (
	"math"
	"strings"
	"sync"
	"unicode"

	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/appliance/egypt/names"
	"github.com/bawab/bawab/appliance/egypt/number"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/text"
)

// wording is a wording as a language.
type wording struct{ *egypt.Wording }

// Match is the share of the words that are listed.
func (w wording) Match(what string) float64 {
	words := strings.FieldsFunc(what, func(r rune) bool { return !unicode.IsLetter(r) })
	known := 0
	for _, x := range words {
		if w.Knows(x) {
			known++
		}
	}
	return float64(known) / float64(max(len(words), 1))
}

// Decode implements field.Language.
func (w wording) Decode(look *text.Reading) []text.Hypothesis { return look.Decode(w.Wording) }

// Witness tells how steadily the words of the value are spelled: a typist keeps to what he did before.
func (w wording) Witness(_, whole string, _ int, known field.Known) float64 {
	var elsewhere egypt.Spelling
	for _, name := range frontWords() {
		if v := known.Values[name]; v.Text != "" {
			elsewhere = elsewhere.Plus(w.Spelling(v.Text), v.Share)
		}
	}
	return text.WordingWeight * w.Spelling(whole).LogHabit(elsewhere)
}

// brackets stand close to what they enclose: a blank beside one is only the room that a face leaves there.
var brackets = strings.NewReplacer("( ", "(", " )", ")")

// Clean implements field.Language. A bracket that closes one of the value stays; what has no letter at all, as a date beside a line that is
// missing, is no words.
func (wording) Clean(value string) string {
	if !strings.ContainsFunc(value, unicode.IsLetter) {
		return ""
	}
	value = brackets.Replace(arabic.Clean(value))
	inner := strings.Trim(value, " :-–،.,/|؛()")
	_, behind, _ := strings.Cut(value, inner)
	if strings.Count(inner, "(") > strings.Count(inner, ")") && strings.HasPrefix(strings.TrimSpace(behind), ")") {
		return inner + ")"
	}
	return inner
}

// Odd counts the words that are spelled as nobody spells them.
func (w wording) Odd(value string, _ int) float64 { return float64(w.Misspelled(value)) }

// nameLines are the lines of a name.
type nameLines struct{ wording }

// Witness tells how well the Latin name spells it, and what the holder's sex says of the first word.
func (n nameLines) Witness(said, whole string, line int, known field.Known) float64 {
	sex := number.Male
	if line == 0 {
		sex = sexOf(known)
	}
	sum := n.wording.Witness(said, whole, line, known) + names.LogLineage(said, sex)
	if spelled, ok := names.LogTranscription(whole, known.Values["nameEnglish"].Text); ok {
		sum += spelled
	}
	return sum
}

// sexOf is the holder's sex where the national number surely tells it.
func sexOf(known field.Known) number.Sex {
	const surely = 0.98
	for _, v := range known.Values {
		if len(v.Text) == number.Length && v.Share >= surely {
			if parts, err := number.Parse(v.Text, known.Now); err == nil {
				return parts.Sex
			}
		}
	}
	return ""
}

// Clean leaves out what stands around a name and holds no letter.
func (n nameLines) Clean(value string) string {
	return strings.TrimFunc(arabic.Clean(value), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) })
}

// addressLines are the lines of an address.
type addressLines struct{ wording }

// Match is how much a line is like the first or the last one of an address.
func (a addressLines) Match(what string) float64 {
	return max(streetLines{a}.Match(what), districtLines{a}.Match(what))
}

// likeness is the share of a line's words that are listed, more where it is told by how it begins or ends.
func (a addressLines) likeness(what string, told bool) float64 {
	m := 0.6 * a.wording.Match(what)
	if told {
		m += 0.4
	}
	return m
}

// Clean implements field.Language.
func (a addressLines) Clean(value string) string {
	return egypt.LettersAndDigits(a.wording.Clean(value))
}

// Odd tells what an address lacks, its place, its street and house where it is of one line, or the letter of a house that looks like a
// digit, and counts the words that are spelled as nobody spells them.
func (a addressLines) Odd(value string, lines int) (odd float64) {
	odd = a.wording.Odd(value, lines)
	placed := egypt.EndsInListedPlace(value) || egypt.EndsInTown(value)
	for _, lacks := range []bool{!placed, lines == 1 && egypt.PlaceAlone(value), egypt.LetterOrOne(value)} {
		if lacks {
			odd++
		}
	}
	return odd
}

// jobLines are lines of an occupation.
type jobLines struct{ wording }

// Clean leaves out a number or a letter alone before the first word: no occupation begins so, but the edge of what stands beside a line, as
// of an emblem, is read as strokes of one.
func (j jobLines) Clean(said string) string {
	said = j.wording.Clean(said)
	if first, rest, several := strings.Cut(said, " "); several && (letterAlone(first) || !strings.ContainsFunc(first, unicode.IsLetter)) {
		return rest
	}
	return said
}

// remarkLines are lines of a remark.
type remarkLines struct{ wording }

// Match is nothing for the state alone, which heads plates that cards show.
func (r remarkLines) Match(what string) float64 {
	if egypt.NamesState(what) {
		return 0
	}
	return r.wording.Match(what)
}

// noteLines are remarks of a line each.
type noteLines struct{ wording }

// Match is nothing for a word alone behind which a number stands: it is left of a label.
func (n noteLines) Match(what string) float64 {
	if egypt.AsksNumber(what) && !strings.Contains(what, " ") {
		return 0
	}
	return n.wording.Match(what)
}

// Odd tells of a line that it counts, measures or numbers something and lacks the number, as a digit that stands alone is overlooked, and
// of one with a colon that it may be the value of a label that no description has.
func (n noteLines) Odd(value string, lines int) float64 {
	odd := n.wording.Odd(value, lines)
	if egypt.AsksNumber(value) && !strings.ContainsFunc(value, unicode.IsDigit) {
		odd++
	}
	if strings.Contains(value, ":") {
		odd++
	}
	return odd
}

// capitals are names in Latin letters.
type capitals struct{}

// Match is the share of Latin letters among the letters.
func (capitals) Match(what string) float64 {
	latin, all := 0.0, 0.0
	for _, r := range what {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			all++
			if unicode.Is(unicode.Latin, r) {
				latin++
			}
		}
	}
	return latin / max(all, 1)
}

// Settle implements field.Spelling.
func (capitals) Settle(what string, confidence float64, score func(string) float64) (text string, share float64, odd bool) {
	shown, sure := egypt.OnlyCapitals(arabic.Clean(what), score)
	if sure == 0 {
		sure = confidence
	}
	return strings.Trim(shown, " :-.,/|"), sure, strings.ContainsFunc(shown, func(r rune) bool { return unicode.Is(unicode.Arabic, r) })
}

// unitBegins are the words with which the names of traffic units begin.
var unitBegins = sync.OnceValue(egypt.UnitBegins)

// unitLines are the names of traffic units: two words that say what it is, and a place.
type unitLines struct{ wording }

// unit reads such a name.
type unit struct{ field.Words }

func unitOf(w *egypt.Wording) unit { return unit{field.Words{Language: unitLines{wording{w}}}} }

// Expecting implements field.Expecting.
func (unit) Expecting(values []string) field.Decoder {
	words := unitWords()
	for _, v := range values {
		for _, w := range text.WordsOf(v) {
			words = append(words, egypt.Listed{Text: w, Often: ownUnit})
		}
	}
	return unitOf(egypt.NewAddressWording(words...))
}

// ownUnit is how often the words of a site's own units are expected: as often as the commonest words of the lists.
const ownUnit = 60

// unitWords are the words with which the names of units begin, each as frequent there as it is rare in addresses.
func unitWords() (out []egypt.Listed) {
	const often = 1000
	seen := map[string]bool{}
	for _, begin := range unitBegins() {
		for _, word := range strings.Fields(begin) {
			if !seen[word] {
				seen[word], out = true, append(out, egypt.Listed{Text: word, Often: often})
			}
		}
	}
	return out
}

// Match is how much the first words are like those with which such names begin; a single one must be that word.
func (unitLines) Match(what string) float64 {
	words, best := strings.Fields(what), 0.0
	for _, b := range unitBegins() {
		n := len(strings.Fields(b))
		if len(words) <= n || n == 1 && arabic.Fold(words[0]) != arabic.Fold(b) {
			continue
		}
		best = max(best, arabic.Likeness(strings.Join(words[:n], " "), b))
	}
	return best
}

// line is any line of words.
type line struct{}

// Match is the share of letters among the signs.
func (line) Match(what string) float64 {
	letters, all := 0.0, 0.0
	for _, r := range what {
		if r != ' ' {
			all++
			if unicode.IsLetter(r) {
				letters++
			}
		}
	}
	return letters / max(all, 1)
}

// Settle implements field.Spelling: the ink alone tells.
func (line) Settle(what string, confidence float64, _ func(string) float64) (text string, share float64, odd bool) {
	return strings.Trim(arabic.Clean(what), " :-.،/|"), confidence, false
}

// listed are words that are printed often, as many times as frequent as a rare word of the lists.
func listed(words []string) (out []egypt.Listed) {
	const often = 60
	for _, w := range words {
		out = append(out, egypt.Listed{Text: w, Often: often})
	}
	return out
}

// often is any line of words, of which some are printed more often than others.
type often struct {
	line
	values []string
}

// rare is how much rarer a line is, in nats, that reads like one that is printed often and is none: a misread one mostly.
const rare = 12.0

// Settle implements field.Spelling: a line like one that is printed often is that, unless the ink speaks against it.
func (o often) Settle(what string, confidence float64, score func(string) float64) (text string, share float64, odd bool) {
	const alike = 0.7
	text, share, odd = o.line.Settle(what, confidence, score)
	best, sum, top := "", 0.0, 0.0
	for _, v := range o.values {
		if arabic.Likeness(text, v) < alike {
			continue
		}
		p := math.Exp(score(v))
		if sum += p; p > top {
			best, top = v, p
		}
	}
	own := math.Exp(score(text) - rare)
	if top <= own {
		return text, share, odd
	}
	if best == text {
		own = 0
	}
	return best, top / (sum + own), false
}
