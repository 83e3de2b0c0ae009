package egypt

import (
	"math"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/appliance/egypt/names"
	"github.com/bawab/bawab/appliance/egypt/number"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/text"
)

// Words are words that lines hold beside those of the lists in the program, or more often.
type Words struct{ Names, Addresses, Jobs, Remarks []egypt.Listed }

// Knowledge returns the decoders, agreements and checks that descriptions of Egyptian documents may name. It takes megabytes, and its parts
// are shared: nothing in it may be changed.
func Knowledge() field.Knowledge { return plain() }

var plain = sync.OnceValue(func() field.Knowledge { return KnowledgeWith(Words{}) })

// KnowledgeWith is Knowledge where lines hold further words.
func KnowledgeWith(more Words) field.Knowledge {
	names, addresses := egypt.NewNameWording(more.Names...), egypt.NewAddressWording(more.Addresses...)
	jobs := egypt.NewJobWording(more.Jobs...)
	units := egypt.NewAddressWording(append(unitWords(), more.Addresses...)...)
	of := func(t *egypt.Terms) field.Term { return field.Term{Vocabulary: terms{t}} }
	dates := field.Number{Grammar: date{number.LicenceExpiryRules}, Words: surelyDated}
	counts := func(c count) field.Number { return field.Number{Grammar: c, Short: true, Words: surelySpelled} }
	return field.Knowledge{
		Decoders: map[string]field.Decoder{
			"national_number":     field.Number{Grammar: nationalNumber{}},
			"date":                dates,
			"name":                field.Words{Language: nameLines{wording{names}}},
			"address":             field.Words{Language: addressLines{wording{addresses}}},
			"owner_address":       field.Words{Language: addressLines{wording{addresses}}},
			"job":                 field.Words{Language: jobLines{wording{jobs}}},
			"first_name":          holder{field.Words{Language: nameLines{wording{names}}}, egypt.NamesCompany},
			"rest_name":           holder{field.Words{Language: nameLines{wording{names}}}, egypt.NamesBusiness},
			"remark":              field.Words{Language: remarkLines{wording{egypt.NewRemarkWording(more.Remarks...)}}},
			"plate":               apart{plateLine{plateShapes()}},
			"use":                 of(egypt.Uses()),
			"latin_name":          field.Plain{Spelling: capitals{}},
			"traffic_unit":        unitOf(units),
			"traffic_department":  of(egypt.Departments()),
			"licence_kind":        of(egypt.LicenceKinds()),
			"nationality":         of(egypt.Nationalities()),
			"nationality_english": of(egypt.NationalitiesEnglish()),
			"condition":           of(egypt.Conditions()),
			"line":                field.Plain{Spelling: line{}},
			"digits":              field.Number{Grammar: anyNumber{}},
			"make":                of(egypt.Makes()),
			"model":               of(egypt.Models()),
			"body":                of(egypt.Bodies()),
			"colour":              of(egypt.Colours()),
			"fuel":                of(egypt.Fuels()),
			"model_year":          counts(count{low: firstModel, high: lastModel, likely: 1, year: true}),
			"cylinders":           counts(count{low: 1, high: mostCylinders, likely: 0.95}),
			"engine_size":         counts(count{low: leastVolume, high: mostVolume, likely: 0.95, size: true}),
			"chassis":             chassis(),
			"motor":               motor(),
			"inspection":          dates,
			"note":                field.Words{Language: noteLines{wording{egypt.NewRemarkWording(more.Remarks...)}}},
			"card_number":         cardNumber{field.Number{Grammar: nationalNumber{}}},
			"release":             field.Number{Grammar: release(), Words: surelySpelled},
			"card_expiry":         field.Number{Grammar: expiry(), Words: surelySpelled},
			"sex":                 sex{statusOf(egypt.VocabularySex)},
			"religion":            statusOf(egypt.VocabularyReligion),
			"marital_status":      statusOf(egypt.VocabularyMarital),
			"occupation":          field.Words{Language: jobLines{wording{jobs}}},
			"workplace":           field.Words{Language: wording{jobs}},
			"husband":             field.Words{Language: nameLines{wording{names}}},
			"birth_date":          field.Number{Grammar: birthDate(), Words: surelySpelled},
			"identity_number":     cardNumber{field.Number{Grammar: frontNumber{}, Words: surelySpelled}},
			"given_name":          field.Words{Language: nameLines{wording{names}}},
			"family_names":        field.Words{Language: fathersLines{nameLines{wording{names}}}},
			"street":              field.Words{Language: streetLines{addressLines{wording{addresses}}}},
			"district":            field.Words{Language: districtLines{addressLines{wording{addresses}}}},
			"card_serial":         cardSerial{},
		},
		Lists: map[string]func([]string) field.Decoder{
			"phrase": func(values []string) field.Decoder { return field.Term{Vocabulary: all{terms{egypt.NewTerms(values)}}} },
		},
		Open: map[string]func([]string) field.Decoder{
			"line": func(values []string) field.Decoder { return field.Plain{Spelling: often{values: values}} },
			"name": func(words []string) field.Decoder {
				return field.Words{Language: nameLines{wording{egypt.NewNameWording(listed(words)...)}}}
			},
			"address": func(words []string) field.Decoder {
				return field.Words{Language: addressLines{wording{egypt.NewAddressWording(listed(words)...)}}}
			},
			"job": func(words []string) field.Decoder {
				return field.Words{Language: jobLines{wording{egypt.NewJobWording(listed(words)...)}}}
			},
		},
		Types: map[string]appliance.FieldType{
			"date": appliance.Date, "inspection": appliance.Date, "release": appliance.Date, "card_expiry": appliance.Date,
			"birth_date": appliance.Date,
		},
		Follows:    follows(),
		Holders:    []string{"national_number", "card_number", "identity_number", "digits"},
		Variants:   variants,
		Agreements: map[string]field.Comparison{"transcription": {Of: [2]string{"name", "latin_name"}, Compare: transcription}},
		Checks: map[string]field.Check{
			"expired": {Of: "date", Malformed: appliance.CodeExpiryFormat, Fails: expired},
			"past":    {Of: "date", Malformed: appliance.CodeReleaseFormat, Fails: past},
		},
	}
}

// variants are the signs that typists print for a sign.
func variants(sign rune) []rune {
	for _, group := range []string{"اأإآ", "يىئ", "هة", "وؤ", "كک"} {
		if strings.ContainsRune(group, sign) {
			return []rune(group)
		}
	}
	if upper, lower := unicode.ToUpper(sign), unicode.ToLower(sign); upper != lower {
		return []rune{upper, lower}
	}
	return []rune{sign}
}

// transcription compares a name in Arabic letters with one in Latin ones: the same where no consonant of any of its names is amiss.
func transcription(arabic, latin string) (same, other bool) {
	worst, alike := names.NameByName(arabic, latin)
	_, spelled := names.LogTranscription(arabic, latin)
	return alike && worst < names.Amiss, !spelled
}

// expired flags a document that is no longer valid.
func expired(value string, known field.Known) appliance.Code {
	if number.Expired(value, known.Now) {
		return appliance.CodeExpired
	}
	return 0
}

// past flags an issue date that lies ahead.
func past(value string, known field.Known) appliance.Code {
	if value > known.Now.Format(time.DateOnly) {
		return appliance.CodeReleaseDate
	}
	return 0
}

// terms is a list of phrases as a vocabulary.
type terms struct{ *egypt.Terms }

// Choose implements field.Vocabulary.
func (t terms) Choose(text string, logProb float64, score func(string) float64) (phrase string, share float64, listed bool) {
	v := t.Terms.Choose(text, logProb, score)
	return v.Value, v.Confidence, v.Listed
}

// With implements field.Vocabulary.
func (t terms) With(phrases []string) field.Vocabulary {
	return terms{t.Terms.With(egypt.NewTerms(phrases))}
}

// all is a list of all phrases that there are. What is printed clearly and is none of them is kept, in doubt: the list may lack it, and
// a phrase a little like it would be a guess.
type all struct{ terms }

// unlistedShare is the most that a text is given which the list lacks.
const unlistedShare = 0.5

// Choose implements field.Vocabulary.
func (a all) Choose(text string, logProb float64, score func(string) float64) (phrase string, share float64, listed bool) {
	phrase, share, listed = a.terms.Choose(text, logProb, score)
	if !listed {
		share = min(share, unlistedShare)
	}
	return phrase, share, listed
}

// With implements field.Vocabulary.
func (a all) With(phrases []string) field.Vocabulary {
	return all{terms{a.Terms.With(egypt.NewTerms(phrases))}}
}

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

// Clean implements field.Language. A bracket that closes one of the value stays; what has no letter at all, as a date beside a line that is
// missing, is no words.
func (wording) Clean(value string) string {
	if !strings.ContainsFunc(value, unicode.IsLetter) {
		return ""
	}
	value = arabic.Clean(value)
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
	for _, lacks := range []bool{!egypt.EndsInListedPlace(value), lines == 1 && egypt.PlaceAlone(value), egypt.LetterOrOne(value)} {
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
var unitBegins = []string{"وحدة مرور", "وحدة تراخيص", "نيابة مرور", "قسم مرور", "مرور"}

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
	for _, begin := range unitBegins {
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
	for _, b := range unitBegins {
		n := len(strings.Fields(b))
		if len(words) < n || n == 1 && (len(words) == 1 || arabic.Fold(words[0]) != arabic.Fold(b)) {
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

// digits keeps Western digits and drops everything else.
func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, arabic.FoldDigits(s))
}

// figures are looks at digits as package egypt takes them.
type figures struct{ field.Figures }

// Cells implements number.Digits.
func (k figures) Cells(n int) []number.Cell {
	cells := make([]number.Cell, n)
	for i, c := range k.Figures.Cells(n) {
		cells[i] = c
	}
	return cells
}

// nationalNumber is the grammar of national numbers.
type nationalNumber struct{}

// Match falls with each digit too many or too few and each other sign.
func (nationalNumber) Match(what string) float64 {
	n := len(digits(what))
	other := len([]rune(strings.ReplaceAll(what, " ", ""))) - n
	return max(0, 1-0.15*math.Abs(float64(n-number.Length))-0.1*float64(other))
}

// Lengths implements field.Grammar.
func (nationalNumber) Lengths() []int { return []int{number.Length} }

// Decode implements field.Grammar.
func (nationalNumber) Decode(f field.Figures, known field.Known) field.Value {
	k := figures{f}
	cells, shown := k.Cells(number.Length), digits(k.Text())
	evidence := number.Evidence{
		Length: k.LogLength(number.Length), Text: shown, Score: k.Score, Birth: birthCells(known), Other: otherSide(known), Today: known.Now,
	}
	n := number.Decode(cells, evidence)
	if !keepsGrammar(n) {
		if turned, ok := decodeFromRight(cells, evidence); ok {
			n = turned
		}
	}
	v := field.Value{Text: n.Value, Raw: k.Text(), Share: n.Confidence, Repairs: n.Repairs}
	v.Checks = []appliance.FieldCheck{{Name: field.GrammarCheck, Passed: keepsGrammar(n)}}
	if len(n.Value) == number.Length {
		v.Characters = n.Digits[:]
	}
	if n.Parts.Check != number.CheckUnknown {
		v.Checks = append(v.Checks, appliance.FieldCheck{Name: "check_digit", Passed: n.Parts.Check == number.CheckAgrees})
	}
	for _, c := range n.Codes {
		if c != number.CodeBirthMismatch && c != number.CodeGenderMismatch {
			v.Codes = append(v.Codes, appliance.Code(c))
		}
	}
	if n.Value != shown { // the rules found one that fits: under a finger a digit looks like another
		v.Strange = 1
	}
	return v
}

// keepsGrammar reports whether a number has a century, a day and a governorate.
func keepsGrammar(n number.Reading) bool {
	return !slices.ContainsFunc(n.Codes, func(c number.Code) bool { return c <= number.CodeGovernorate })
}

// turnedGroups says in the evidence what was done to a number.
const turnedGroups = "its groups stand from the right"

// numberGroups are the lengths of the groups in which numbers are printed.
func numberGroups() [][]int {
	return [][]int{{1, 6, 2, 5}, {1, 6, 2, 4, 1}, {1, 2, 2, 2, 2, 5}, {1, 2, 2, 2, 2, 4, 1}}
}

// decodeFromRight decodes a number whose groups stand from the right; ok is false where none of the usual groups keeps grammar and check
// digit.
func decodeFromRight(cells []number.Cell, e number.Evidence) (n number.Reading, ok bool) {
	if len(e.Text) != number.Length {
		return n, false
	}
	shown := e.Text
	e.Score = nil // of the digits as they stand
	for _, groups := range numberGroups() {
		var turned []number.Cell
		e.Text = ""
		end := number.Length
		for _, size := range groups {
			turned, e.Text = append(turned, cells[end-size:end]...), e.Text+shown[end-size:end]
			end -= size
		}
		if n = number.Decode(turned, e); keepsGrammar(n) && n.Parts.Check == number.CheckAgrees {
			n.Repairs = append(n.Repairs, turnedGroups)
			return n, true
		}
	}
	return n, false
}

// Spell implements field.Grammar: fourteen digits that are a number, from the left or, where only that keeps the check digit, with their
// groups from the right.
func (nationalNumber) Spell(r *text.Reading, known field.Known) field.Value {
	s, ok := spelledOf(r)
	if !ok {
		return field.Value{}
	}
	left := spelledNumber(s, number.Length)
	n, err := number.Parse(left.Text, known.Now)
	if err == nil && n.Check != number.CheckDisagrees {
		return left
	}
	s, _ = spelledOf(r.With(fromRight(r.Symbols())))
	right := spelledNumber(s, number.Length)
	if n, err := number.Parse(right.Text, known.Now); err == nil && n.Check == number.CheckAgrees {
		right.Repairs = []string{turnedGroups}
		return right
	}
	if err != nil {
		return field.Value{}
	}
	return left
}

// anyNumber is a number of any length that serials have, without a grammar.
type anyNumber struct{}

// Match is the share of digits among the signs, less for fewer than four.
func (anyNumber) Match(what string) float64 {
	n := len(digits(what))
	return float64(n) / float64(max(len([]rune(strings.ReplaceAll(what, " ", ""))), 4))
}

// Lengths implements field.Grammar.
func (anyNumber) Lengths() []int { return []int{8, 7, 9, 6, 10, 5, 11, 4, 12, 13, 14} }

// Decode takes the likeliest length, and the likeliest digit at each place.
func (a anyNumber) Decode(f field.Figures, _ field.Known) field.Value {
	v := field.Value{Raw: f.Text()}
	best := math.Inf(-1)
	for _, n := range a.Lengths() {
		l := f.LogLength(n)
		if l <= best {
			continue
		}
		number, sum := make([]byte, n), l
		for i, c := range f.Cells(n) {
			d := 0
			for k := range c {
				if c[k] > c[d] {
					d = k
				}
			}
			number[i], sum = byte('0'+d), sum+c[d]
		}
		if sum > best {
			best, v.Text, v.Share = sum, string(number), math.Exp(min(0, sum))
		}
	}
	return v
}

// Spell implements field.Grammar.
func (a anyNumber) Spell(r *text.Reading, _ field.Known) field.Value {
	s, ok := spelledOf(r)
	if !ok {
		return field.Value{}
	}
	return spelledNumber(s, a.Lengths()...)
}

// otherSide is the number as this transaction read it on another document of the holder.
func otherSide(known field.Known) []number.Cell {
	for _, d := range known.Earlier {
		f := d.Field("idNumber")
		if d.Kind.Facts().OtherSide == "" || len(f.Value) != number.Length {
			continue
		}
		return number.CellsOf(f.Value, f.Confidence, f.Characters)
	}
	return nil
}
