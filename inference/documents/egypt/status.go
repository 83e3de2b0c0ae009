package egypt

import (
	"context"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/appliance/egypt/number"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/text"
)

// status reads one word of a list that holds all there are: what is said of a man or of a woman.
type status struct{ words []egypt.Word }

func statusOf(v egypt.Vocabulary) status {
	return status{slices.DeleteFunc(egypt.StatusWords(), func(w egypt.Word) bool { return w.Vocabulary != v || w.Text == egypt.Dash })}
}

// Match implements field.Decoder.
func (s status) Match(what string) float64 {
	m, _ := egypt.MatchWord(what, s.words)
	return m.Score
}

// What is expected of a word beside its ink. otherSex is how much rarer one is in the form of another sex than that of its holder: such
// cards are printed, but as often a letter is overlooked. unlistedWord is how much rarer print is that is no word of the list. oddForm is
// the most that a word in the form of another sex is given.
const (
	otherSex     = 0.005
	unlistedWord = 0.005
	oddForm      = 0.5
)

// Decode implements field.Decoder.
func (s status) Decode(ctx context.Context, ink []*page.Ink, known field.Known) (field.Value, error) {
	k := s.wordOf(ink[0])
	if err := k.LookAgain(ctx); err != nil {
		return field.Value{}, err
	}
	for _, height := range [...]float64{1.18, 1.42} { // the last letter of a low word may hang out of its strip
		if s.Match(k.Text()) == 1 {
			break
		}
		if err := k.Look(ctx, height); err != nil {
			return field.Value{}, err
		}
	}
	sex := holdersSex(known)
	own, sum, top := unlistedWord*k.Confidence(), 0.0, 0.0
	var best egypt.Word
	for _, w := range s.words {
		p, printed := s.likely(k, w)
		if sex != "" && w.Sex != "" && w.Sex != sex {
			p *= otherSex
		}
		if printed {
			own = 0
		}
		if sum += p; p > top {
			best, top = w, p
		}
	}
	v := field.Value{Raw: k.Text(), Text: best.Text, Share: top / max(sum+own, 1e-30), Ink: math.Log(max(top, 1e-30))}
	if top <= own {
		v.Strange, v.Share = 1, min(v.Share, oddForm)
	}
	if sex != "" && best.Sex != "" {
		v.Checks = []appliance.FieldCheck{{Name: "sex", Passed: best.Sex == sex}}
		if best.Sex != sex {
			v.Share = min(v.Share, oddForm)
		}
	}
	return v, nil
}

// likely is how likely the ink makes a word in any of its spellings; printed tells that one of them is what is read.
func (s status) likely(k *page.Ink, w egypt.Word) (p float64, printed bool) {
	for _, spelled := range append([]string{w.Text}, w.Variants...) {
		p += math.Exp(k.Score(spelled))
		printed = printed || spelled == k.Text()
	}
	return p, printed
}

// wordOf is the word of a stretch that is most like one of the list: what stands beside it may be a small label that cannot be read.
func (s status) wordOf(ink *page.Ink) *page.Ink {
	symbols := ink.Reading().Symbols()
	best, most := ink, s.Match(ink.Text())
	for _, w := range text.Spans(symbols) {
		begin, end := 0.0, 1.0
		if w[0] > 0 {
			begin = (symbols[w[0]-1].Start + symbols[w[0]].Start) / 2
		}
		if w[1] < len(symbols) {
			end = (symbols[w[1]-1].End + symbols[w[1]].End) / 2
		}
		if part := ink.Part(begin, end); s.Match(part.Text()) > most {
			best, most = &part, s.Match(part.Text())
		}
	}
	return best
}

// holdersSex is the sex of the holder, as the document's number surely tells it, or the word for it.
func holdersSex(known field.Known) number.Sex {
	if s := sexOf(known); s != "" {
		return s
	}
	if v := known.Values[sexField]; v.Share >= surelySex {
		return number.Sex(v.Text)
	}
	return ""
}

// sexField is the field of a document that holds its holder's sex, and surelySex the share from which on it tells that.
const (
	sexField  = "gender"
	surelySex = 0.98
)

// sex reads the holder's sex as answers hold it.
type sex struct{ status }

// Decode implements field.Decoder.
func (s sex) Decode(ctx context.Context, ink []*page.Ink, known field.Known) (field.Value, error) {
	v, err := s.status.Decode(ctx, ink, known)
	if err != nil {
		return v, err
	}
	if v.Strange > 0 {
		told := sexOfNumber(known)
		told.Raw, told.Strange, told.Codes = v.Raw, v.Strange, append(told.Codes, appliance.CodeGender)
		return told, nil
	}
	for i := range v.Checks {
		if v.Checks[i].Name = "number"; !v.Checks[i].Passed {
			v.Codes = append(v.Codes, appliance.CodeGenderMismatch)
		}
	}
	for _, w := range s.words {
		if w.Text == v.Text {
			v.Text = string(w.Sex)
			break
		}
	}
	return v, nil
}

// sexOfNumber is the sex that the national number tells; in doubt where that is, and flagged where it tells none.
func sexOfNumber(known field.Known) (v field.Value) {
	v.Codes = []appliance.Code{appliance.CodeUnreadable}
	for name, n := range known.Values {
		parts, err := number.Parse(n.Text, known.Now)
		if err != nil {
			continue
		}
		v = field.Value{Text: string(parts.Sex), Share: n.Share, From: []string{name}}
		if n.Share < certainPart {
			v.Codes = []appliance.Code{appliance.CodeLowConfidence}
		}
	}
	return v
}

// withoutReligion tells that a card states none: newer ones leave it out. Where nothing beside it was read, it may have been overlooked.
func withoutReligion(known field.Known) (v field.Value) {
	if known.Values[sexField].Raw == "" {
		v.Codes = []appliance.Code{appliance.CodeUnreadable}
	}
	return v
}
