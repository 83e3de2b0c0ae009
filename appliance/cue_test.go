package appliance

import "testing"

// A document is fake when a cue reaches its threshold, and a cue without one only reports.
func TestJudgeFraud(t *testing.T) {
	for name, c := range map[string]struct {
		cues []Cue
		want bool
	}{
		"nothing":     {nil, false},
		"below":       {[]Cue{{Name: "a", Score: 0.89, Threshold: 0.9}}, false},
		"reached":     {[]Cue{{Name: "a", Score: 0.1, Threshold: 0.9}, {Name: "b", Score: 0.9, Threshold: 0.9}}, true},
		"only report": {[]Cue{{Name: "a", Score: 1, Threshold: 0}}, false},
		"not judged":  {[]Cue{{Name: "a", Score: 1, Threshold: 0.9, NotJudged: "small"}}, false},
	} {
		d := Document{Cues: c.cues}
		if d.judgeFraud(); d.Fake != c.want {
			t.Errorf("%s: fake %v, want %v", name, d.Fake, c.want)
		}
	}
	d := Document{Fake: true}
	if d.judgeFraud(); !d.Fake {
		t.Error("the reader's own verdict is lost")
	}
}

// A number that differs from the other side's raises the cue for it by how sure both readings are, and only that cue; the
// same number, or a document that was not examined, raises none.
func TestNumberInconsistentAcrossSides(t *testing.T) {
	side := func(kind Kind, number string, confidence float64) Document {
		return Document{
			Kind: kind, Fields: []Field{{Name: numberField, Value: number, Confidence: confidence}},
			Cues: []Cue{{Name: "other", Score: 0, Threshold: 0.9}, {Name: NumberInconsistent, Score: 0.1, Threshold: 0.9}},
		}
	}
	front := side(NationalIDFront, "29001011234567", 0.5)
	for name, c := range map[string]struct {
		number string
		want   float64
	}{"same": {"29001011234567", 0.1}, "another": {"29001011234568", 0.4}} {
		back := side(NationalIDBack, c.number, 0.8)
		compareSides(&back, nil, []Document{front})
		if back.Cues[1].Score != c.want || back.Cues[0].Score != 0 {
			t.Errorf("%s: %v, want %g", name, back.Cues, c.want)
		}
		back = side(NationalIDBack, c.number, 0.8)
		back.Cues = nil
		if compareSides(&back, nil, []Document{front}); back.Cues != nil {
			t.Errorf("%s: a document that was not examined got %v", name, back.Cues)
		}
	}
}
