package card

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/appliance/mrz"
)

const (
	// surePrint is the confidence from which a printed line may contradict a zone. Set by judgement on 27 November 2026.
	surePrint = 0.8
	// misread is what remains of the score where one sign alone differs: that is how print is misread, more often than forged. Such a line
	// must be read more surely, veryPrint, to be told at all.
	misread   = 0.5
	veryPrint = 0.95
)

// otherNumber returns how sure a printed word is that has the form of the number, sign for sign a letter or a digit, but is another
// one. A form of digits alone proves nothing: pages hold many numbers.
func otherNumber(lines []pageLine, number string) (sure float64) {
	if len(number) < 6 || strings.Trim(number, "0123456789") == "" {
		return 0
	}
	for _, l := range lines {
		for _, word := range strings.Fields(l.upper) {
			differ, ok := signsApart(strings.Trim(word, ".,:;<>()"), number)
			sure = max(sure, contradicts(l.confidence, differ, ok))
		}
	}
	return sure
}

// contradicts is how much a value counts that was read so surely and differs in so many signs.
func contradicts(confidence float64, differ int, ok bool) float64 {
	switch {
	case !ok || differ == 0:
		return 0
	case differ == 1 && confidence >= veryPrint:
		return confidence * misread
	case differ > 1 && confidence >= surePrint:
		return confidence
	}
	return 0
}

// signsApart counts the signs in which two words of one form differ; ok is false where the forms do.
func signsApart(a, b string) (n int, ok bool) {
	if len(a) != len(b) {
		return 0, false
	}
	for i := range len(a) {
		if !sameClass(a[i], b[i]) {
			return 0, false
		}
		if a[i] != b[i] {
			n++
		}
	}
	return n, true
}

func sameClass(a, b byte) bool {
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	letter := func(c byte) bool { return c >= 'A' && c <= 'Z' }
	return digit(a) && digit(b) || letter(a) && letter(b)
}

// pageDate is a date as printed; the year has two or four digits.
type pageDate struct{ day, month, year int }

// full reports whether the year is printed with its century.
func (p pageDate) full() bool { return p.year >= 100 }

// is reports whether the date is that of a field, YYYY-MM-DD, whatever the century.
func (p pageDate) is(value string) bool {
	return len(value) == 10 && value[2:] == fmt.Sprintf("%02d-%02d-%02d", p.year%100, p.month, p.day)
}

// differ counts the digits in which the date differs from that of a field, whatever the century.
func (p pageDate) differ(value string) (n int, ok bool) {
	if len(value) != 10 {
		return 0, false
	}
	own := fmt.Sprintf("%02d-%02d-%02d", p.year%100, p.month, p.day)
	for i := range own {
		if own[i] != value[2+i] {
			n++
		}
	}
	return n, true
}

// dateForm is a date as passports print it: 05/03/1987, 5 MAR 87, 12 MAY/MAI 1990 and the like.
var dateForm = regexp.MustCompile(`\b(\d{1,2})[ ./-]+(\d{1,2}|[A-Z]{3})[A-Z/]*[ ./-]+(\d{4}|\d{2})\b`)

// datesIn returns the dates in a line of print.
func datesIn(line string) (out []pageDate) {
	const months = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"
	for _, m := range dateForm.FindAllStringSubmatch(line, -1) {
		p := pageDate{}
		p.day, _ = strconv.Atoi(m[1])
		p.year, _ = strconv.Atoi(m[3])
		if i := strings.Index(months, m[2]); len(m[2]) == 3 && i >= 0 && i%3 == 0 {
			p.month = i/3 + 1
		} else {
			p.month, _ = strconv.Atoi(m[2])
		}
		if p.day >= 1 && p.day <= 31 && p.month >= 1 && p.month <= 12 {
			out = append(out, p)
		}
	}
	return out
}

// longestValid is how many years before it ends a passport is issued at the most.
const longestValid = 11

// otherBirth returns how sure a printed date is that can only be a birth date and is another than the zone's: one that its label names,
// or one that lies before the passport can have been issued.
func otherBirth(lines []pageLine, z mrz.Reading) (sure float64) {
	end, _ := strconv.Atoi(z.ExpiryDate.Value[:min(4, len(z.ExpiryDate.Value))])
	for _, l := range lines {
		for _, p := range datesIn(l.upper) {
			if !labelled(l, lines, "BIRTH", "NAISSANCE") && !(end > 0 && p.full() && p.year < end-longestValid) || p.is(z.ExpiryDate.Value) {
				continue
			}
			n, ok := p.differ(z.BirthDate.Value)
			sure = max(sure, contradicts(l.confidence, n, ok))
		}
	}
	return sure
}

// otherExpiry returns how sure a printed date is that its label names as the expiry date and is another than the zone's.
func otherExpiry(lines []pageLine, z mrz.Reading) (sure float64) {
	for _, l := range lines {
		for _, p := range datesIn(l.upper) {
			if !labelled(l, lines, "EXPIRY", "EXPIRATION") || p.is(z.BirthDate.Value) {
				continue
			}
			n, ok := p.differ(z.ExpiryDate.Value)
			sure = max(sure, contradicts(l.confidence, n, ok))
		}
	}
	return sure
}

// labelled reports whether a value stands behind one of the words in its line, or below or beside a line that holds one.
func labelled(value pageLine, lines []pageLine, words ...string) bool {
	holds := func(l pageLine) bool {
		return slices.ContainsFunc(strings.FieldsFunc(l.upper, notLetter), func(w string) bool {
			return slices.ContainsFunc(words, func(want string) bool { return egypt.Likeness(w, want) >= 0.8 })
		})
	}
	if holds(value) {
		return true
	}
	label, ok := labelFor(value, lines)
	return ok && holds(label)
}

// labelFor is the line that introduces a value: the nearest one straight above it, or on its height before it.
func labelFor(value pageLine, lines []pageLine) (label pageLine, ok bool) {
	const below, beside, level = 2.5, 12, 0.6 // heights
	least := 0.0
	for _, l := range lines {
		if l.Line == value.Line {
			continue
		}
		dy, height := middleY(value)-middleY(l), max(value.Height, l.Height)
		away := 0.0
		switch {
		case dy > level*height && dy < below*height && l.Start.X < value.End.X && value.Start.X < l.End.X:
			away = dy
		case dy < level*height && dy > -level*height && l.End.X <= value.Start.X+height && value.Start.X-l.End.X < beside*height:
			away = value.Start.X - l.End.X
		default:
			continue
		}
		if !ok || away < least {
			label, ok, least = l, true, away
		}
	}
	return label, ok
}

func middleY(l pageLine) float64 { return (l.Start.Y + l.End.Y) / 2 }

func notLetter(r rune) bool { return r < 'A' || r > 'Z' }

// soleLetter is the letter of a sex that stands alone in its line; "" for any other line.
func soleLetter(l pageLine) string {
	if l.upper == "M" || l.upper == "F" {
		return l.upper
	}
	return ""
}

// otherSex returns how sure a letter is that its label names as the sex and that is the other one.
func otherSex(lines []pageLine, sex string) (sure float64) {
	if sex != "M" && sex != "F" {
		return 0
	}
	for _, l := range lines {
		if other := soleLetter(l); other != "" && other != sex && l.confidence >= surePrint && labelled(l, lines, "SEX", "SEXE", "GENDER") {
			sure = max(sure, l.confidence)
		}
	}
	return sure
}

// alikeName is how alike a word of the zone and a printed one are at the least that mean the same: a letter of four may be misread.
const alikeName = 0.7

// allAlike reports whether every word of a name is printed somewhere. Hyphens and apostrophes part words or join them.
func allAlike(name string, lines []pageLine) bool {
	words := strings.Fields(name)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !isPrinted(w, lines) })
}

func isPrinted(word string, lines []pageLine) bool {
	return slices.ContainsFunc(lines, func(l pageLine) bool {
		return slices.ContainsFunc(latinWords(l), func(p string) bool {
			return egypt.Likeness(word, p) >= alikeName || len(word) > 3 && strings.HasPrefix(p, word)
		})
	})
}

// latinWords are the Latin words of a line, each as it stands and with what follows it, since a zone may join what is printed apart.
func latinWords(l pageLine) (out []string) {
	parts := strings.FieldsFunc(l.upper, notLetter)
	for i, p := range parts {
		out = append(out, p)
		if i > 0 {
			out = append(out, parts[i-1]+p)
		}
	}
	return out
}

// otherName returns how sure the line is that a label names as the holder's name and that shares no word with the zone's.
func otherName(lines []pageLine, name string) (sure float64) {
	for _, l := range lines {
		words := strings.Fields(l.text)
		if l.confidence < surePrint || !isName(words) || !labelled(l, lines, "SURNAME", "NAME", "NAMES", "NOM", "PRENOMS") ||
			labelled(l, lines, otherPersons()...) {
			continue
		}
		like := slices.ContainsFunc(strings.Fields(name), func(w string) bool { return isPrinted(w, []pageLine{l}) })
		if !like && !slices.ContainsFunc(strings.Fields(name), func(w string) bool { return closest(w, words) > 0.5 }) {
			sure = max(sure, l.confidence)
		}
	}
	return sure
}

// otherPersons are the words that name whose name is no holder's, and what is no person's.
func otherPersons() []string {
	return []string{"FATHER", "MOTHER", "SPOUSE", "HUSBAND", "WIFE", "GUARDIAN", "AUTHORITY", "PLACE", "BIRTH"}
}

// isName reports whether the words of a line may be a name: capitals, three of them at least, and none of the words of labels.
func isName(words []string) bool {
	letters := 0
	for _, w := range words {
		if strings.Trim(w, "ABCDEFGHIJKLMNOPQRSTUVWXYZ'-.") != "" || slices.Contains(pageLabels(), strings.Trim(w, "'-.")) {
			return false
		}
		letters += len(w)
	}
	return letters >= 3
}

// pageLabels are the words of labels and titles that may stand where a name does.
func pageLabels() []string {
	return strings.Fields("SURNAME NAME NAMES GIVEN FULL FIRST LAST DATE BIRTH PLACE SEX NATIONALITY PASSPORT AUTHORITY ISSUE EXPIRY CODE " +
		"TYPE COUNTRY PROFESSION NOM PRENOMS REPUBLIC ARAB EGYPT OF")
}

// closest is how alike the most alike of some words is.
func closest(word string, words []string) (best float64) {
	for _, w := range words {
		best = max(best, egypt.Likeness(word, strings.ToUpper(w)))
	}
	return best
}

// settleCentury gives a birth date that may lie in two centuries the year that is printed with four digits, and says so where none is.
func settleCentury(d *appliance.Document, earlier string, printed pageDate) {
	i := slices.IndexFunc(d.Fields, func(f appliance.Field) bool { return f.Name == "Date_of_Birth" })
	if i < 0 || earlier == "" {
		return
	}
	switch f := &d.Fields[i]; strconv.Itoa(printed.year) {
	case earlier[:4]:
		f.Repairs = append(f.Repairs, fmt.Sprintf("%s is %s: the year is printed with four digits", f.Value, earlier))
		f.Value = earlier
		for k, v := range d.Validations {
			if v.Field == f.Name {
				d.Validations[k].Value = earlier
			}
		}
	case f.Value[:4]:
	default:
		d.Flag(f.Name, f.Value, appliance.CodeTwoCenturies)
		d.Flag(f.Name, f.Value, appliance.CodeLowConfidence)
	}
}
