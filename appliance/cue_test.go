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
		if d.JudgeFraud(); d.Fake != c.want {
			t.Errorf("%s: fake %v, want %v", name, d.Fake, c.want)
		}
	}
	d := Document{Fake: true}
	if d.JudgeFraud(); !d.Fake {
		t.Error("the reader's own verdict is lost")
	}
}
