package form

import (
	"maps"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// The one table of doubt: why a field is in doubt, and which code that earns. A description's rules add those of its checks.
const (
	causeDoubt   = appliance.CodeLowConfidence // its confidence is below the limit of its decoder
	causeUnread  = appliance.CodeUnreadable    // something is printed there, and it cannot be read
	causeMissing = appliance.CodeUnreadable    // every document of the kind has it, and it was not found
)

// ConfidenceLimit is the weight of a decoder below which confidence its values are flagged; all its others are of features.
const ConfidenceLimit = "limit"

// ConfidenceWeight is the name of the weight that what is known of a value has for those of a decoder.
func ConfidenceWeight(decoder, name string) string { return "right " + decoder + " " + name }

// doubtFeatures are what speaks for and against a value being right. Their weights are learned for each decoder.
func (d *Description) doubtFeatures(s *sheet, a *answer) []feature {
	const open = 1e-4
	signs := len([]rune(a.Text))
	share, ink := math.Log((a.Share+open)/(1-a.Share+open)), math.Log1p(-min(0, max(a.Ink, -60)))
	out := []feature{
		{"any", 1},
		{"share", share},
		{"share high", max(0, share-3)},
		{"share highest", max(0, share-6)},
		{"ink", ink},
		{"ink faint", max(0, ink-1)},
		{"strange", min(a.Strange, 3)},
		{"signs", float64(min(signs, 40)) / 10},
		{"margin", max(-4, min(a.margin, 8))},
		{"margin small", max(0, 2-max(-4, a.margin))},
		{"agrees", a.agrees},
		{"lines", float64(len(a.lines) - 1)},
		{"odd", a.Odd},
		{"spelled", a.Spelled},
		{"face", s.face},
	}
	for _, name := range slices.Sorted(maps.Keys(a.checked)) {
		out = append(out, feature{name, 1})
	}
	return append(out, s.printFeatures(a)...)
}

// printFeatures are what the print of a value, and what stands about it, says for it being right.
func (s *sheet) printFeatures(a *answer) (out []feature) {
	blank, clarity, edge, apart, looks := 0.0, 1.0, 0.0, 0, 0
	labelled, lead, loose := false, false, false
	for _, k := range a.lines {
		x := &s.stretches[k]
		blank, clarity, edge = max(blank, x.Blank()), min(clarity, x.clear), max(edge, x.Edge())
		apart, looks = apart+x.Apart(), looks+len(x.Looks())-1
		loose = loose || s.loose(k)
		lead = lead || x.lead != nil && slices.Contains(a.field.Leads, x.lead.Label)
		labelled = labelled || x.labelled(a.field)
	}
	return append(out,
		feature{"labelled", one(labelled)}, feature{"lead", one(lead)}, feature{"gaping", one(blank > 1.45)},
		feature{"swapped", one(a.swapped)}, feature{"loose", one(loose)}, feature{"unlabelled", one(!labelled && len(s.labels) >= 5)},
		feature{"strange at all", one(a.Strange > 0)},
		feature{"mended", one(!slices.Equal(text.WordsOf(a.Raw), text.WordsOf(a.Text)))}, // not how signs between words are written
		feature{"clarity", clarity}, feature{"blurred", max(0, 10*(0.9-clarity))}, feature{"page", s.clarity},
		feature{"edge", min(edge, 4)}, feature{"apart", float64(min(apart, 4))}, feature{"looks", float64(min(looks, 4))})
}

// check tells each value what came of its own checks, and of those of the other fields: a face whose digits are misread is so all over a
// document, and only some of its numbers tell.
func check(answers []answer) {
	came := map[bool]string{true: " passed", false: " failed"}
	for i := range answers {
		a := &answers[i]
		a.checked = map[string]bool{}
		for k := range answers {
			whose := "beside "
			if k == i {
				whose = "own "
			}
			for _, c := range answers[k].Checks {
				a.checked[whose+c.Name+came[c.Passed]] = true
			}
		}
	}
}

// confidence is the calibrated probability that a value is right, the decoder's own share where nobody has measured its decoder.
func (w Weights) confidence(decoder string, fs []feature, share float64) float64 {
	if _, ok := w[ConfidenceWeight(decoder, "any")]; !ok {
		return share
	}
	return vision.Sigmoid(w.weigh(ConfidenceWeight(decoder, ""), fs))
}

// limit is the confidence below which the values of a decoder are flagged.
func (c *Calibration) limit(decoder string) float64 {
	if v, ok := c.Weights[ConfidenceWeight(decoder, ConfidenceLimit)]; ok {
		return v
	}
	return c.AnyLimit
}

// record puts a field into the document, with what is wrong with it.
func (d *Description) record(r *Reading, s *sheet, a *answer, known field.Known) {
	if len(a.lines) == 0 {
		d.follow(a, known)
	}
	f := appliance.Field{Name: a.field.Name, Raw: a.Raw, Characters: a.Characters, Checks: a.Checks, Repairs: a.Repairs}
	defer func() { known.Values[f.Name] = field.Value{Text: f.Value, Raw: f.Raw, Share: f.Confidence} }()
	if len(a.lines) == 0 {
		f.Value, f.Confidence, f.DerivedFrom = a.Text, a.Share, a.From
		for _, c := range a.Codes {
			r.Flag(f.Name, f.Value, c)
		}
		if slices.ContainsFunc(a.From, r.doubted) {
			r.Flag(f.Name, f.Value, causeDoubt)
		}
		if r.Fields = append(r.Fields, f); a.field.Required && f.Value == "" {
			r.Flag(f.Name, f.Value, causeMissing)
		}
		return
	}
	f.Value = a.Text
	f.Confidence = s.confidence(a.field.Decoder, d.doubtFeatures(s, a), a.Share)
	var lines []text.Line
	for _, k := range a.lines {
		lines = append(lines, s.stretches[k].Line())
	}
	f.Quad = s.Quad(lines)
	if f.Value != "" && f.Confidence < s.Unreadable {
		f.Value, f.Characters, f.Repairs = "", nil, append(f.Repairs, "not returned: hardly readable")
	}
	d.judge(r, a, &f, s.limit(a.field.Decoder), known)
	r.Fields = append(r.Fields, f)
}

// doubted reports whether a field is in doubt.
func (r *Reading) doubted(name string) bool {
	return r.Flagged(name, causeDoubt) || r.Flagged(name, causeUnread)
}

// judge flags a field with what is wrong with it; limit is the confidence below which it is in doubt.
func (d *Description) judge(r *Reading, a *answer, f *appliance.Field, limit float64, known field.Known) {
	for _, c := range a.Codes {
		r.Flag(f.Name, f.Value, c)
	}
	malformed := d.malformed(f.Name)
	if a.Malformed && malformed != 0 {
		r.Flag(f.Name, f.Value, malformed)
	}
	switch {
	case f.Value == "":
		r.Flag(f.Name, f.Value, causeUnread)
	case f.Confidence < limit || a.either || a.Malformed && malformed == 0:
		r.Flag(f.Name, f.Value, causeDoubt)
	case a.field.Proves:
		r.Proofs++
	}
	for _, rule := range d.Rules {
		if rule.Field == f.Name {
			if code := d.knowledge.Checks[rule.Check].Fails(f.Value, known); code != 0 && f.Value != "" {
				r.Flag(f.Name, f.Value, code)
			}
		}
	}
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
