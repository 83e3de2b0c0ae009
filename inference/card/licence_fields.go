package card

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
)

// filled is a list of the entry, or of nothing where it is empty.
func filled(e entry) []entry {
	if len(e.row) == 0 {
		return nil
	}
	return []entry{e}
}

// free makes a field of lines of words, without the label that introduces them, if it was read with them.
func (e *editor) free(name string, wording *egypt.Wording, label egypt.Label, lines ...entry) appliance.Field {
	lines, _ = withoutCrumbs(lines)
	if label == egypt.LabelName && len(lines) > 0 && lines[0].ofCompany() {
		wording = nil // of persons
	}
	f := e.words(name, wording, lines...)
	if at, ok := egypt.FindLabel(f.Value, egypt.PhrasesOf(label)); ok && at.Before == "" && at.After != "" && at.Score > 0.85 {
		f.Value = at.After
	}
	f.Value = trimmed(withoutLabelRest(f.Value))
	if label == egypt.LabelName {
		f.Value = withoutOffice(betweenLetters(f.Value))
		if own := inArabic(f.Value); wording != nil && own != f.Value {
			f.Repairs = append(f.Repairs, f.Value+" read as "+own+", a name in Arabic letters")
			f.Value, f.Confidence = own, min(f.Confidence, halfSure)
		}
	}
	return f
}

// inArabic leaves the words with Latin letters, as of a label in English, out of a name that has Arabic ones.
func inArabic(name string) string {
	if arabicLetters(name) == 0 {
		return name
	}
	return strings.Join(slices.DeleteFunc(strings.Fields(name), func(w string) bool { return strings.ContainsFunc(w, latinLetter) }), " ")
}

// trimmed is a value without the signs around it: separators, and what a frame or an ornament beside it was read as.
func trimmed(value string) string { return strings.Trim(value, " "+signs+ornaments) }

// betweenLetters is a name without what stands before or behind it and holds no letter: a picture in the place of a label, or the card's
// pattern, is read as a sign.
func betweenLetters(name string) string {
	return strings.TrimFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) })
}

// withoutOffice leaves out of a name the label of the next column, إدارة or وحدة, or of the name itself, cut short, which was read with it: no name has these words.
func withoutOffice(name string) string {
	words := strings.Fields(name)
	for len(words) > 0 && slices.Contains([]string{"اداره", "الاداره", "وحده", "الوحده", "الاسم", "الاس"}, egypt.Fold(words[len(words)-1])) {
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ")
}

// withoutLabelRest leaves out of a value the words of a longer label of which only the first was taken for one. No name and no address has
// them.
func withoutLabelRest(value string) string {
	words := strings.Fields(value)
	rest := func(w string) bool {
		return slices.Contains([]string{"بالكامل", "بالانجليزيه", "باللاتينيه"}, egypt.Fold(w))
	}
	for len(words) > 0 && rest(words[0]) {
		words = words[1:]
	}
	for len(words) > 0 && rest(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ")
}

// printed flags a field that every card of its kind has and that was not read.
func (e *editor) printed(name string) {
	if e.Field(name).Value == "" {
		e.Flag(name, "", appliance.CodeUnreadable)
	}
}

// term makes a field of a line that mostly holds a phrase of a list.
func (e *editor) term(name string, terms *egypt.Terms, l entry) appliance.Field {
	f := e.words(name, nil, filled(l)...)
	if f.Value = strings.Trim(f.Value, " "+signs); f.Value == "" {
		return f
	}
	t := e.sheet.expected(e.Kind, name, terms).Choose(f.Value, math.Log(max(l.confidence, 1e-30)), l.pooled())
	if t.Value != f.Value {
		f.Repairs = append(f.Repairs, f.Value+" read as "+t.Value+", which such a field holds")
	}
	f.Value, f.Confidence = t.Value, t.Confidence
	f.Checks = append(f.Checks, appliance.FieldCheck{Name: "vocabulary", Passed: t.Listed})
	return f
}

// sureLabel is the likeness from which on a label is told from another one that begins alike.
const sureLabel = 0.85

// eitherDate is the most confidence of a date of which it is not clear which of the two it is: one that is flagged.
const eitherDate = 0.8
