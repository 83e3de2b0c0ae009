package passport

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/appliance/mrz"
)

const (
	// surePrint is the confidence from which a printed line may contradict a zone. Set by judgement on 27 November 2026.
	surePrint = 0.8
	// misread is what remains of the score where one sign alone differs: that is how print is misread, more often than forged. Such a line
	// must be read more surely, veryPrint, to be told at all.
	misread   = 0.5
	veryPrint = 0.95
	// farApart is in how many signs a value that was read less surely, fairPrint, must differ: then it is another one, whatever was misread.
	farApart  = 4
	fairPrint = 0.6
)

// otherNumber returns how sure a printed word is that has the form of the number, sign for sign a letter or a digit, but is another
// one. A form of digits alone proves nothing, since pages hold many numbers, unless a label says that it is the passport's.
func otherNumber(lines []pageLine, number string) (sure float64) {
	if len(number) < 6 {
		return 0
	}
	own := strings.Trim(number, "0123456789") != ""
	for _, l := range lines {
		named := labelled(l, lines, "PASSPORT", "PASSEPORT", "DOCUMENT")
		for _, word := range numbersIn(l) {
			differ, ok := signsApart(word, number)
			if long := len(word) - len(number); named && !ok && long >= -1 && long <= 1 && strings.ContainsAny(word, "0123456789") {
				differ, ok = len(word), arabic.Likeness(word, number) < unlikeNumber
			}
			sure = max(sure, contradicts(l.sure(word), differ, ok && (own || named)))
		}
	}
	return sure
}

// unlikeNumber is how alike a number of another form is at the most to be another one rather than one that is misread.
const unlikeNumber = 0.5

// numbersIn are the words of a line that may be its number, and all of them as one, since some pages part the digits.
func numbersIn(l pageLine) (out []string) {
	for _, word := range strings.Fields(l.upper) {
		out = append(out, strings.Trim(word, ".,:;<>()"))
	}
	if len(out) > 1 {
		out = append(out, strings.Join(out, ""))
	}
	return out
}

// contradicts is how much a value counts that was read so surely and differs in so many signs.
func contradicts(confidence float64, differ int, ok bool) float64 {
	switch {
	case !ok || differ == 0:
		return 0
	case differ == 1 && confidence >= veryPrint:
		return confidence * misread
	case differ > 1 && confidence >= surePrint, differ >= farApart && confidence >= fairPrint:
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

// pageDate is a date as printed; the year has two or four digits, and name is that of the month where it is printed in letters.
type pageDate struct {
	day, month, year int
	name, text       string
}

// full reports whether the year is printed with its century.
func (p pageDate) full() bool { return p.year >= 100 }

// is reports whether the date is that of a field, YYYY-MM-DD, whatever the century.
func (p pageDate) is(value string) bool {
	return len(value) == 10 && value[2:] == fmt.Sprintf("%02d-%02d-%02d", p.year%100, p.month, p.day)
}

// cut reports whether the year may be the first two digits of one of four.
func (p pageDate) cut() bool { return p.year == 19 || p.year == 20 }

// differ counts the signs in which the date differs from that of a field, whatever the century: SEP is three letters away from AUG, and no
// misread digit.
func (p pageDate) differ(value string) (n int, ok bool) {
	if len(value) != 10 || p.cut() {
		return 0, false
	}
	own := fmt.Sprintf("%02d-%02d-%02d", p.year%100, p.month, p.day)
	if month, _ := strconv.Atoi(value[5:7]); p.name != "" && month != p.month && month >= 1 && month <= 12 {
		apart := len(p.name)
		for _, name := range strings.Fields(months()[month-1]) {
			apart = min(apart, lettersApart(p.name, name))
		}
		n, own = apart, own[:3]+value[5:7]+own[5:]
	}
	for i := range own {
		if own[i] != value[2+i] {
			n++
		}
	}
	return n, true
}

// lettersApart counts the letters in which the beginnings of two names differ.
func lettersApart(a, b string) (n int) {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// dateForm is a date as passports print it: 05/03/1987, 5 MAR 87, 12MAY/MAI 1990 and the like. yearFirst is one of the states that begin
// with the year.
var (
	dateForm  = regexp.MustCompile(`\b(\d{1,2})(?:[ ./-]+(\d{1,2})[ ./-]+|[ ./-]*([A-Z]{3,9})\.?(?: ?/ ?[A-Z]{2,9})?[ ./-]*)(\d{4}|\d{2})\b`)
	roundZero = regexp.MustCompile(`\bO(\d)`)                                 // a day's or a month's first sign
	roundO    = strings.NewReplacer("0CT", "OCT", "N0V", "NOV", "A0U", "AOU") // in the name of a month a zero is an O
	yearFirst = regexp.MustCompile(`\b((?:19|20)\d{2})[ ./-]+(\d{1,2})[ ./-]+(\d{1,2})\b`)
)

// months are the beginnings of the names of months in English and French.
func months() []string {
	return []string{"JAN", "FEB FEV", "MAR", "APR AVR", "MAY MAI", "JUN JUIN", "JUL JUIL", "AUG AOU", "SEP", "OCT", "NOV", "DEC"}
}

// monthOf is the number of a month by its name; 0 for any other word.
func monthOf(word string) int {
	return 1 + slices.IndexFunc(months(), func(names string) bool {
		return slices.ContainsFunc(strings.Fields(names), func(n string) bool { return strings.HasPrefix(word, n) })
	})
}

// datesIn returns the dates in a line of print.
func datesIn(line string) (out []pageDate) {
	add := func(text, day, month, year string) {
		p := pageDate{month: monthOf(month), text: text}
		if p.month > 0 {
			p.name = month
		}
		p.day, _ = strconv.Atoi(day)
		p.year, _ = strconv.Atoi(year)
		if p.month == 0 {
			p.month, _ = strconv.Atoi(month)
		}
		if p.day >= 1 && p.day <= 31 && p.month >= 1 && p.month <= 12 {
			out = append(out, p)
		}
	}
	line = roundO.Replace(roundZero.ReplaceAllString(line, "0$1"))
	for _, m := range dateForm.FindAllStringSubmatch(line, -1) {
		add(m[0], m[1], m[2]+m[3], m[4])
	}
	for _, m := range yearFirst.FindAllStringSubmatch(line, -1) {
		add(m[0], m[3], m[2], m[1])
	}
	return out
}

// longestValid is how many years before it ends a passport is issued at the most.
const longestValid = 11

// otherBirth returns how sure a printed date is that can only be a birth date and is another than the zone's: one that its label names,
// or one that lies before the passport can have been issued.
func otherBirth(lines []pageLine, z mrz.Reading) (sure float64) {
	end := yearOf(z.ExpiryDate.Value)
	for _, l := range lines {
		for _, p := range datesIn(l.upper) {
			if !labelled(l, lines, "BIRTH", "NAISSANCE") && !(end > 0 && p.fullYear(end) < end-longestValid) || p.is(z.ExpiryDate.Value) {
				continue
			}
			n, ok := p.differ(z.BirthDate.Value)
			sure = max(sure, contradicts(l.sure(p.text), n, ok))
		}
	}
	return sure
}

// yearOf is the year of a date, YYYY-MM-DD; 0 for none.
func yearOf(value string) int {
	year, _ := strconv.Atoi(value[:min(4, len(value))])
	return year
}

// fullYear is the year with its century, of two digits the one that lies not behind the end of the passport.
func (p pageDate) fullYear(end int) int {
	switch century := end / 100 * 100; {
	case p.full():
		return p.year
	case century+p.year > end:
		return century - 100 + p.year
	default:
		return century + p.year
	}
}

// otherExpiry returns how sure a printed date is that can only be the expiry date and is another than the zone's: one that its label names.
// Without a label it asks a person: one that is later than the zone's, or the later of two others where the birth date is known.
func otherExpiry(lines []pageLine, z mrz.Reading, birth bool) (sure float64) {
	end := yearOf(z.ExpiryDate.Value)
	if end == 0 {
		return 0
	}
	others := map[string]float64{} // how sure each is, by its iso form
	for _, l := range lines {
		named := labelled(l, lines, "EXPIRY", "EXPIRATION", "EXPIRES", "UNTIL")
		for _, p := range datesIn(l.upper) {
			n, ok := p.differ(z.ExpiryDate.Value)
			counts := contradicts(l.sure(p.text), n, ok && !p.is(z.BirthDate.Value))
			if named {
				sure = max(sure, counts)
			}
			if counts > 0 && p.fullYear(end+longestValid) >= end-longestValid {
				others[p.iso(end)] = max(others[p.iso(end)], counts)
			}
		}
	}
	if last := slices.Max(append(slices.Collect(maps.Keys(others)), "")); birth && len(others) > 1 || last > z.ExpiryDate.Value {
		sure = max(sure, others[last]*misread)
	}
	return sure
}

// iso is the date as those of fields are written, for a passport that ends in a year.
func (p pageDate) iso(end int) string {
	return fmt.Sprintf("%04d-%02d-%02d", p.fullYear(end+longestValid), p.month, p.day)
}

// labelled reports whether a value stands behind one of the words in its line, or below or beside a line that holds one.
func labelled(value pageLine, lines []pageLine, words ...string) bool {
	holds := func(l pageLine) bool { return holdsWord(l, words...) }
	return holds(value) || slices.ContainsFunc(labelsFor(value, lines), holds)
}

// holdsWord reports whether a line holds one of the words, a letter of five of which may be misread, or the last third cut off.
func holdsWord(l pageLine, words ...string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(l.upper, notLetter), func(w string) bool {
		return slices.ContainsFunc(words, func(want string) bool {
			return arabic.Likeness(w, want) >= 0.8 || strings.HasPrefix(w, want[:(2*len(want)+2)/3]) && len(w) <= len(want)
		})
	})
}

// labelsFor are the lines that introduce a value: the nearest ones straight above it and on its height before it, and what stands beside
// these as their other words.
func labelsFor(value pageLine, lines []pageLine) (labels []pageLine) {
	const level, gap = 0.6, 2.5 // heights
	labels = nearest(value, lines)
	for i := 0; i < len(labels); i++ {
		label := labels[i]
		for _, l := range lines {
			apart := max(l.Start.X-label.End.X, label.Start.X-l.End.X)
			known := l.Line == value.Line || slices.ContainsFunc(labels, func(k pageLine) bool { return k.Line == l.Line })
			if !known && apart < gap*label.Height && math.Abs(middleY(l)-middleY(label)) < level*label.Height {
				labels = append(labels, l)
			}
		}
	}
	return labels
}

// nearest are the line next above a value and the one next before it on its height, where there are any.
func nearest(value pageLine, lines []pageLine) (found []pageLine) {
	const below, beside, level = 2.5, 12, 0.6 // heights
	var least [2]float64
	var next [2]*pageLine
	for i := range lines {
		l := &lines[i]
		dy, height := middleY(value)-middleY(*l), max(value.Height, l.Height)
		where, away := 0, dy
		switch {
		case l.Line == value.Line:
			continue
		case dy > level*height && dy < below*height && l.Start.X < value.End.X && value.Start.X < l.End.X:
		case math.Abs(dy) < level*height && l.End.X <= value.Start.X+height && value.Start.X-l.End.X < beside*height:
			where, away = 1, value.Start.X-l.End.X
		default:
			continue
		}
		if next[where] == nil || away < least[where] {
			next[where], least[where] = l, away
		}
	}
	for _, l := range next {
		if l != nil {
			found = append(found, *l)
		}
	}
	return found
}

func middleY(l pageLine) float64 { return (l.Start.Y + l.End.Y) / 2 }

func notLetter(r rune) bool { return r < 'A' || r > 'Z' }

// sexIn is the letter of a sex that stands alone in its line, or with its word in another language or its label, and how surely it was
// read; "" for any other line. Letters are capitals: of an F whose arm alone is seen a small m may be read.
func sexIn(l pageLine) (sex string, sure float64) {
	const beside = 3 // signs of another script, and what parts them
	rest := 0
	for _, word := range strings.FieldsFunc(l.text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(word) > 1 {
			word = strings.ToUpper(word)
		}
		letter, known := sexWords()[word]
		switch {
		case known && letter == "":
		case known && (sex == "" || sex == letter):
			sex, sure = letter, l.sure(word)
		default:
			rest += utf8.RuneCountInString(word)
		}
	}
	if rest > beside {
		return "", 0
	}
	return sex, sure
}

// sexWords are the words of a sex, with its letter, and those of its label.
var sexWords = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for words := range listed(sexes) {
		for _, word := range words[1:] {
			out[word] = strings.Trim(words[0], "-")
		}
	}
	return out
})

// otherSex returns how sure a letter is that is the other sex. Where no label names it, it must have been read more surely: no other letter
// of these stands alone on a page.
func otherSex(lines []pageLine, sex string) (sure float64) {
	if sex != "M" && sex != "F" {
		return 0
	}
	for _, l := range lines {
		other, counts := sexIn(l)
		if other != "" && other != sex && (counts >= veryPrint || counts >= surePrint && labelled(l, lines, "SEX", "SEXE", "GENDER")) {
			sure = max(sure, counts)
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
			return arabic.Likeness(word, p) >= alikeName || len(word) > 3 && strings.HasPrefix(p, word)
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

// otherSpelling is how alike two spellings of one name are at least: NADER and ADEL share three letters of five.
const otherSpelling = 0.65

// otherName returns how sure the line is that a label names as the holder's name and that shares less than half of its words with the
// zone's, or of the zone's with it: with that part of the name which the label tells. One name of several is many people's.
func otherName(lines []pageLine, z mrz.Reading) (sure float64) {
	for _, l := range lines {
		words := strings.Fields(l.text)
		if l.confidence < surePrint || !isName(words) || !labelled(l, lines, "SURNAME", "NAME", "NAMES", "NOM", "PRENOMS") ||
			labelled(l, lines, otherPersons()...) {
			continue
		}
		name := z.Name()
		switch surname, given := labelled(l, lines, "SURNAME", "LAST", "FAMILY"), labelled(l, lines, "GIVEN", "FIRST", "PRENOMS"); {
		case surname && !given && z.Surname.Value != "":
			name = z.Surname.Value
		case given && !surname && z.GivenNames.Value != "":
			name = z.GivenNames.Value
		}
		if zone := strings.Fields(name); 2*shared(zone, l) < min(len(zone), len(words)) {
			sure = max(sure, l.confidence)
		}
	}
	return sure
}

// shared counts the words of a name that a line prints, in whatever spelling.
func shared(name []string, l pageLine) (n int) {
	for _, w := range name {
		if isPrinted(w, []pageLine{l}) || closest(w, strings.Fields(l.text)) > otherSpelling {
			n++
		}
	}
	return n
}

// besideName returns how sure a line is that stands where the part of a name does that is printed nowhere: a surname straight above the
// given names, or given names straight below the surname, where the other part is printed. Labels may be too small to be read.
func besideName(lines []pageLine, z mrz.Reading) (sure float64) {
	surname, given := strings.Fields(z.Surname.Value), strings.Fields(z.GivenNames.Value)
	if len(surname) == 0 || len(given) == 0 || allAlike(z.Surname.Value, lines) == allAlike(z.GivenNames.Value, lines) {
		return 0
	}
	known, missing, down := given, surname, -1.0
	if allAlike(z.Surname.Value, lines) {
		known, missing, down = surname, given, 1
	}
	for _, own := range lines {
		if !slices.ContainsFunc(known, func(w string) bool { return slices.Contains(latinWords(own), w) }) {
			continue
		}
		for _, l := range lines {
			if nextInColumn(own, l, down) && l.confidence >= veryPrint && isName(strings.Fields(l.text)) && len(states(l.upper)) == 0 &&
				!slices.ContainsFunc(missing, func(w string) bool { return closest(w, strings.Fields(l.upper)) > otherSpelling }) {
				sure = max(sure, l.confidence)
			}
		}
	}
	return sure
}

// nextInColumn reports whether a value is the next one below another, or above it where down is -1, in its column and as large.
func nextInColumn(own, l pageLine, down float64) bool {
	const column, least, most, alike = 1, 1.3, 3.2, 0.7 // heights
	dy, height := down*(middleY(l)-middleY(own)), max(own.Height, l.Height)
	return math.Abs(l.Start.X-own.Start.X) < column*height && dy > least*height && dy < most*height && min(own.Height, l.Height) > alike*height
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
		best = max(best, arabic.Likeness(word, strings.ToUpper(w)))
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
