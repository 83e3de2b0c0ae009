package card

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// backPrint is what the lines of a national ID's back are: empty where nothing was found.
type backPrint struct {
	datedNumber
	jobs      []entry
	status    []entry // sex, religion, marital state in whatever order
	husband   entry
	expiry    figures
	expiryRow row
}

// readBack finds out which line of a back is which, and reads them: the row of the number comes first, the one with the
// expiry last, and the row of status words parts the occupation above it from the husband's name below.
func (s *sheet) readBack(ctx context.Context) (p backPrint, err error) {
	layout := egypt.Back()
	place, _ := egypt.At(layout, egypt.RoleNumber)
	var at int
	if p.datedNumber, at, err = s.numberRowOf(ctx, 0, place.Y+2*place.DY); err != nil {
		return p, err
	}
	top := 0.0
	if at >= 0 {
		top = s.rows[at].y() + s.rows[at].height()/2/viewHeight
	}
	barcode, _ := egypt.At(layout, egypt.RoleBarcode)
	var lines []entry
	for _, r := range s.rows {
		if r.y() <= top || r.y() > barcode.Y-barcode.DY || r.right()-r.left() < 0.03 {
			continue
		}
		w, err := s.readWords(ctx, r)
		if err != nil {
			return p, err
		}
		if w.text == "" || w.confidence < scrap {
			continue
		}
		if e := (entry{r, w}); !e.dated() {
			lines = append(lines, e)
			continue
		}
		p.expiryRow = entry{r, w}.datePart()
		p.expiry, err = s.digits(ctx, p.expiryRow.whole().Line)
		p.assign(lines)
		return p, err
	}
	p.assign(lines)
	return p, nil
}

// expiryWords are the folded words of the phrase that introduces the expiry date, with what is printed in their place.
func expiryWords() []string {
	return []string{"البطاقه", "ساريه", "صاريه", "صالحه", "حتي"}
}

// dated tells whether a line is the one with the expiry date: it holds words of its phrase, or digits like a date's.
func (e entry) dated() bool {
	words, digits := 0, 0
	for _, w := range strings.Fields(egypt.Fold(e.text)) {
		if slices.ContainsFunc(expiryWords(), func(x string) bool { return distance(w, x) <= len([]rune(x))/4 }) {
			words++
		}
	}
	for _, r := range e.text {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	return words >= 2 || words == 1 && digits >= 2 || digits >= dayDigits-2 && strings.Contains(e.text, "/")
}

// datePart returns the stretch of a line left of its words: there the date stands. Where the line is in several pieces,
// the words end in the first piece that holds any.
func (e entry) datePart() row {
	for i, part := range e.parts {
		share, ok := wordsBegin(part.symbols)
		if !ok {
			continue
		}
		out := slices.Clone(e.row[:i])
		if share > 0.1 {
			out = append(out, piece{cut(e.row[i].Line, 0, share)})
		}
		if len(out) == 0 {
			return e.row[:1]
		}
		return out
	}
	return e.row
}

// wordsBegin returns where in a line, as a share of its length, the leftmost word begins: a letter that others follow.
func wordsBegin(symbols []text.Symbol) (share float64, ok bool) {
	for i, s := range symbols {
		letters := 0
		for _, next := range symbols[i:min(i+4, len(symbols))] {
			if unicode.IsLetter(next.Rune) {
				letters++
			}
		}
		if unicode.IsLetter(s.Rune) && letters >= 3 {
			if i == 0 {
				return 0, true
			}
			return (symbols[i-1].End + s.Start) / 2, true
		}
	}
	return 1, false
}

// assign gives the lines between the number and the expiry their roles.
func (p *backPrint) assign(lines []entry) {
	at := slices.IndexFunc(lines, entry.isStatus)
	if at < 0 {
		sex, _ := egypt.At(egypt.Back(), egypt.RoleSex)
		at = slices.IndexFunc(lines, func(e entry) bool { return e.y() > sex.Y-sex.DY/2 })
		if at < 0 {
			at = len(lines)
		}
		p.jobs = lines[:at]
		return
	}
	p.jobs, p.status = lines[:at], lines[at:at+1]
	if at+1 < len(lines) {
		p.husband = lines[at+1]
	}
}

// isStatus tells whether a line is the row of sex, religion and marital state.
func (e entry) isStatus() bool {
	words := e.wordList()
	hits := 0
	for _, w := range words {
		if statusWord(w.text).score > 0.7 {
			hits++
		}
	}
	return hits >= 2 || hits == 1 && len(words) == 1
}

// back fills in the fields of a national ID's back.
func (e *editor) back(p backPrint) {
	s := e.status(p.status)
	number := e.number(p.datedNumber, nil, s.sex, s.sexConfidence)
	e.gender(s, number)
	e.dates(p)
	e.jobs(p.jobs)
	e.husband(p.husband)
}

// word is one word of a line with its place.
type word struct {
	piece
	text       string
	confidence float64
}

// wordList takes an Arabic line apart into its words, in reading order.
func (e entry) wordList() []word {
	var out []word
	for i, part := range slices.Backward(e.parts) {
		line := e.row[i].Line
		end := len(part.symbols)
		for at := end - 1; at >= -1; at-- {
			if at >= 0 && part.symbols[at].Rune != ' ' {
				continue
			}
			if signs := part.symbols[at+1 : end]; len(signs) > 0 {
				w := word{piece: piece{cut(line, signs[0].Start, signs[len(signs)-1].End)}, confidence: 1}
				for _, s := range slices.Backward(signs) {
					w.text += string(s.Rune)
					w.confidence *= s.Prob
				}
				out = append(out, w)
			}
			end = at
		}
	}
	return out
}

// status is what the row of status words says.
type status struct {
	sex           egypt.Sex
	sexConfidence float64
	fields        [3]appliance.Field // by vocabulary
}

// status reads the row of status words. Each word goes to the vocabulary that it fits best.
func (e *editor) status(lines []entry) (s status) {
	names := [3]string{"gender", "religion", "maritalStatus"}
	for i := range s.fields {
		s.fields[i].Name = names[i]
	}
	for _, l := range lines {
		for _, w := range l.wordList() {
			m := statusWord(w.text)
			f := &s.fields[m.kind]
			confidence := w.confidence * math.Pow(m.score, 3)
			if m.score < 0.55 || confidence <= f.Confidence {
				continue
			}
			*f = appliance.Field{Name: f.Name, Value: m.word, Confidence: confidence, Raw: w.text, Quad: e.sheet.quad(row{w.piece})}
			if m.kind == vocabSex {
				s.sex, s.sexConfidence = m.sex, confidence
			}
		}
	}
	return s
}

// gender records sex, religion and marital state. Without a printed sex that can be read, the number tells it.
func (e *editor) gender(s status, n egypt.Number) {
	f := s.fields[vocabSex]
	f.Value = string(s.sex)
	switch {
	case s.sex == "" && n.Parts.Sex == "":
		e.missing(f.Name)
	case s.sex == "":
		e.derived(f.Name, string(n.Parts.Sex), n.Sex, "idNumber")
	default:
		if n.Parts.Sex != "" {
			f.Checks = append(f.Checks, appliance.FieldCheck{Name: "number", Passed: n.Parts.Sex == s.sex})
			if n.Parts.Sex == s.sex && !n.Doubtful() {
				f.Confidence = max(f.Confidence, n.Sex)
			}
		}
		e.add(f)
		if slices.Contains(n.Codes, egypt.CodeGenderMismatch) {
			flag(e.Document, f.Name, f.Value, appliance.CodeGenderMismatch)
		}
	}
	e.add(s.fields[vocabReligion])
	e.add(s.fields[vocabMarital])
}

// jobs records the occupation and the line below it.
func (e *editor) jobs(lines []entry) {
	if len(lines) == 0 {
		e.missing("job")
		e.Fields = append(e.Fields, appliance.Field{Name: "jobTitle"})
		return
	}
	e.add(e.words("job", lines[0]))
	e.add(e.words("jobTitle", lines[1:]...))
}

// husband records the husband's name without the words that introduce it.
func (e *editor) husband(l entry) {
	if len(l.row) == 0 {
		e.Fields = append(e.Fields, appliance.Field{Name: "husbandName"})
		return
	}
	f := e.words("husbandName", l)
	words := strings.Fields(f.Value)
	for len(words) > 0 && slices.Contains([]string{"اسم", "الزوج", ":", "الزوج:"}, egypt.Fold(words[0])) {
		words = words[1:]
	}
	f.Value = strings.Join(words, " ")
	e.add(f)
}

// dates records release and expiry. Cards from before 2009 have no expiry.
func (e *editor) dates(p backPrint) {
	v := egypt.DecodeValidity(p.date, p.expiry, e.now)
	e.date("releaseDate", v.Release, p.dateRow)
	if p.expiry == nil && v.Release.Value != "" && v.Release.Value < firstExpiring {
		e.Fields = append(e.Fields, appliance.Field{Name: "idExpiry"})
		return
	}
	e.date("idExpiry", v.Expiry, p.expiryRow)
	if v.Release.Value != "" && v.Expiry.Value != "" {
		f := &e.Fields[len(e.Fields)-1]
		f.Checks = append(f.Checks, appliance.FieldCheck{Name: "seven_years", Passed: !slices.Contains(v.Expiry.Codes, egypt.CodeExpirySpan)})
	}
}

// firstExpiring is the release from which on cards end at a printed date.
const firstExpiring = "2009-01-01"

// unreadableDate is the confidence under which a date is not returned: it is then more likely wrong than right.
const unreadableDate = 0.3

// date records a printed date.
func (e *editor) date(name string, d egypt.Date, r row) {
	f := appliance.Field{Name: name, Value: d.Value, Confidence: d.Confidence, Quad: e.sheet.quad(r), Raw: d.Raw, Repairs: d.Repairs}
	if d.Confidence < unreadableDate {
		f.Value = ""
	}
	for _, c := range d.Codes {
		flag(e.Document, name, f.Value, appliance.Code(c))
	}
	switch {
	case f.Value == "":
		flag(e.Document, name, "", appliance.CodeUnreadable)
	case d.Doubtful():
		flag(e.Document, name, f.Value, appliance.CodeLowConfidence)
	}
	e.Fields = append(e.Fields, f)
}
