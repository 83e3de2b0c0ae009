package form

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// The one table of doubt: why a field is in doubt, and which code that earns. A description's rules add those of its checks.
const (
	causeDoubt  = appliance.CodeLowConfidence // its confidence is below the limit of its decoder
	causeUnread = appliance.CodeUnreadable    // something is printed there, or on every document of the kind, and it cannot be read
)

// ConfidenceLimit is the weight of a decoder below which confidence its values are flagged; all its others are of features.
const ConfidenceLimit = "limit"

// ConfidenceWeight is the name of the weight that what is known of a value has for those of a decoder.
func ConfidenceWeight(decoder, name string) string { return "right " + decoder + " " + name }

// AnewWeight is the name of the weight that what further cuts of print say has, whatever the decoder.
func AnewWeight(name string) string { return "anew " + name }

// doubtFeatures are what speaks for and against a value, with what came of the checks. Their weights are learned for each decoder.
func (s *sheet) doubtFeatures(a *answer, checked map[string]bool) []feature {
	share, ink := field.LogOdds(a.Share), math.Log1p(-min(0, max(a.Ink, -60)))
	out := s.printFeatures(a)
	for _, name := range slices.Sorted(maps.Keys(checked)) {
		out = append(out, feature{name, 1})
	}
	return append(out,
		feature{"any", 1}, feature{"agrees", a.agrees}, feature{"odd", a.Odd}, feature{"spelled", a.Spelled},
		feature{"share", share}, feature{"share high", max(0, share-3)}, feature{"share highest", max(0, share-6)},
		feature{"ink", ink}, feature{"ink faint", max(0, ink-1)},
		feature{"strange", min(a.Strange, 3)}, feature{"strange at all", one(a.Strange > 0)},
		feature{"signs", float64(min(len([]rune(a.Text)), 40)) / 10}, feature{"lines", float64(len(a.lines) - 1)},
		feature{"margin", max(-4, min(a.margin, 8))}, feature{"margin small", max(0, 2-max(-4, a.margin))})
}

// printFeatures are what the print of a value, and what stands about it, says for it being right.
func (s *sheet) printFeatures(a *answer) (out []feature) {
	clarity, looks, labelled, lead, loose := 1.0, 0, false, false, false
	for _, k := range a.lines {
		x := &s.stretches[k]
		clarity, looks = min(clarity, x.clear), looks+len(x.Looks())-1
		loose = loose || s.loose(k)
		lead = lead || x.lead != nil && slices.Contains(a.field.Leads, x.lead.Label)
		labelled = labelled || x.labelled(a.field)
	}
	return append(out,
		feature{"labelled", one(labelled)}, feature{"unlabelled", one(!labelled && len(s.labels) >= 5)},
		feature{"lead", one(lead)}, feature{"swapped", one(a.swapped)}, feature{"loose", one(loose)},
		feature{"mended", one(mended(&a.Value))},
		feature{"clarity", clarity}, feature{"blurred", max(0, 10*(0.9-clarity))}, feature{"page", s.clarity},
		feature{"looks", float64(min(looks, 4))})
}

// mended reports whether a value has other words than were read, capitals and how signs between words are written aside.
func mended(v *field.Value) bool {
	return !slices.EqualFunc(text.WordsOf(v.Raw), text.WordsOf(v.Text), strings.EqualFold)
}

// check tells of each value what speaks for it, what came of its own checks and of those of the other fields among that: a face whose
// digits are misread is so all over a document, and only some of its numbers tell.
func (s *sheet) check(answers []answer) {
	for i := range answers {
		checked := map[string]bool{}
		for k := range answers {
			for _, c := range answers[k].Checks {
				checked[either(k == i, "own ", "beside ")+c.Name+either(c.Passed, " passed", " failed")] = true
			}
		}
		answers[i].speaks = s.doubtFeatures(&answers[i], checked)
	}
}

// confidence is the calibrated probability that a value is right by what speaks for it and by further cuts of its print, the decoder's own
// share where nobody has measured its decoder.
func (w Weights) confidence(a *answer) float64 {
	if _, ok := w[ConfidenceWeight(a.field.Decoder, "any")]; !ok {
		return a.Share
	}
	return vision.Sigmoid(w.weigh(ConfidenceWeight(a.field.Decoder, ""), a.speaks) + w.weigh(AnewWeight(""), a.anew))
}

// limit is the confidence below which the values of a decoder are flagged.
func (c *Calibration) limit(decoder string) float64 {
	if v, ok := c.Weights[ConfidenceWeight(decoder, ConfidenceLimit)]; ok {
		return v
	}
	return c.AnyLimit
}

// record puts a field into the document, with what is wrong with it.
func (s *sheet) record(r *Reading, a *answer) {
	printed := len(a.lines) > 0
	if !printed {
		a.Value = s.follow(a.field, a.Value)
	}
	f := appliance.Field{
		Name: a.field.Name, Value: a.Text, Confidence: a.Share, Raw: a.Raw, Characters: a.Characters, Checks: a.Checks, Repairs: a.Repairs,
	}
	if printed {
		f.Confidence, f.Quad = s.confidence(a), s.Quad(s.inkOf(a))
		if f.Value != "" && f.Confidence < s.Unreadable {
			f.Value, f.Characters, f.Repairs = "", nil, append(f.Repairs, "not returned: hardly readable")
		}
	} else {
		f.DerivedFrom = a.From
	}
	for _, c := range a.Codes {
		r.Flag(f.Name, f.Value, c)
	}
	if printed {
		s.judge(r, a, &f, s.limit(a.field.Decoder))
	} else {
		judgeDerived(r, a, &f)
	}
	r.Fields = append(r.Fields, f)
	s.known.Values[f.Name] = field.Value{Text: f.Value, Raw: f.Raw, Share: f.Confidence}
}

// judgeDerived flags a field without print that may be wrong, or that every document of the kind has.
func judgeDerived(r *Reading, a *answer, f *appliance.Field) {
	if a.ambiguous || slices.ContainsFunc(f.DerivedFrom, func(from string) bool { return r.Flagged(from, causeDoubt, causeUnread) }) {
		r.Flag(f.Name, f.Value, causeDoubt)
	}
	if a.field.Required && f.Value == "" {
		r.Flag(f.Name, f.Value, causeUnread)
	}
}

// judge flags a field with print that is in doubt, cannot be read or fails a check; limit is the confidence below which it is in doubt.
func (s *sheet) judge(r *Reading, a *answer, f *appliance.Field, limit float64) {
	malformed := s.description.malformed(f.Name)
	if a.Malformed && malformed != 0 {
		r.Flag(f.Name, f.Value, malformed)
	}
	if f.Value == "" {
		r.Flag(f.Name, f.Value, causeUnread)
		return
	}
	sure := f.Confidence >= limit && (!a.Malformed || malformed != 0)
	if !sure || a.ambiguous {
		r.Flag(f.Name, f.Value, causeDoubt)
	}
	if a.field.Proves && !a.ambiguous && (sure || s.tells(a)) {
		r.Proofs++
	}
	for _, rule := range s.description.Rules {
		if rule.Field != f.Name {
			continue
		}
		if code := s.description.knowledge.Checks[rule.Check].Fails(f.Value, s.known); code != 0 {
			r.Flag(f.Name, f.Value, code)
		}
	}
}

// tells reports whether the print of an answer has a form that only values of its field have.
func (s *sheet) tells(a *answer) bool {
	t, ok := s.description.decoder(a.field).(field.Telling)
	return ok && t.Tells(s.stretches[a.lines[0]].said)
}

// malformed is the code of a print that is no value of a field, by the first rule of the field that has one; 0 where none has.
func (d *Description) malformed(field string) appliance.Code {
	for _, rule := range d.Rules {
		if code := d.knowledge.Checks[rule.Check].Malformed; rule.Field == field && code != 0 {
			return code
		}
	}
	return 0
}
