package fit

import (
	"math"
	"testing"

	"github.com/bawab/bawab/inference/form"
)

// Property: weights are learned that tell what the features tell, the same ones from the same examples; a feature that tells
// nothing weighs next to nothing, and what is known stays as it is.
func TestLearnRoles(t *testing.T) {
	var examples []example
	for i := range 400 {
		told, chance := float64(i%2), float64(i/2%2)
		examples = append(examples, example{choices: []map[string]float64{{}, {"any": 1, "told": told, "chance": chance}}, right: i % 2})
	}
	w := learnRoles(examples, nil, 1)
	if w["told"] < 3 || w["any"] > -1 || math.Abs(w["chance"]) > 0.5 {
		t.Errorf("%v", w)
	}
	if kept := learnRoles(examples, form.Weights{"any": 0.5}, 1); kept["any"] != 0.5 || kept["told"] < 1 {
		t.Errorf("with one that is known: %v", kept)
	}
	if again := learnRoles(examples, nil, 1); again["told"] != w["told"] || again["chance"] != w["chance"] {
		t.Errorf("%v, then %v", w, again)
	}
}

// Property: values are flagged where more than a share budget of those like them is wrong, as is stated, and numbers that tell the holder
// earlier.
func TestCalibrate(t *testing.T) {
	share := func(i int) float64 { return float64(i%10) + float64(i*37%101)/101 }
	judge := func(decoder string, share float64, right bool) verdict {
		return verdict{form.Evidence{Field: "tree", Decoder: decoder, Features: map[string]float64{"any": 1, "share": share}}, right}
	}
	var judged []verdict
	for i := range 2000 {
		judged = append(judged, judge("word", share(i), i%10 > 2 || i%20 == 2), judge("blind", 0, (i/10)%50 != 0))
	}
	w, told := calibrate(judged, 0.05, nil, nil)
	strict, _ := calibrate(judged, 0.05, map[string]bool{"word": true}, nil)
	if strict[limitOf("word")] != 1-numberBudget || strict[limitOf("blind")] != w[limitOf("blind")] {
		t.Errorf("limits %v and %v", strict[limitOf("word")], strict[limitOf("blind")])
	}
	wrong, flagged := map[string]int{}, map[string]int{} // wrong and not flagged, flagged
	wronged := 0                                         // flagged though right
	for _, j := range judged {
		sum := 0.0
		for name, v := range j.Features {
			sum += v * w[form.ConfidenceWeight(j.Decoder, name)]
		}
		switch c := 1 / (1 + math.Exp(-sum)); {
		case c < w[limitOf(j.Decoder)]:
			flagged[j.Decoder]++
			if j.right {
				wronged++
			}
		case !j.right:
			wrong[j.Decoder]++
		}
	}
	if wrong["word"] > 0 || flagged["word"] < 600 || flagged["word"] > 800 {
		t.Errorf("of values that tell, %d are wrong and %d flagged, below %v", wrong["word"], flagged["word"], w[limitOf("word")])
	}
	if flagged["blind"] > 0 || wrong["blind"] != 40 {
		t.Errorf("of values of which one in fifty is wrong, %d are flagged, below %v", flagged["blind"], w[limitOf("blind")])
	}
	all := float64(len(judged))
	right, silent := float64(wronged)/all, float64(wrong["word"]+wrong["blind"])/all
	if math.Abs(told.rightFlagged-right) > 0.01 || math.Abs(told.wrongSilent-silent) > 0.01 {
		t.Errorf("%+v, but %v and %v", told, right, silent)
	}
}

// Property: what further cuts of print say is learned beside how sure values were by one look, which stays as it is: where the cuts tell
// which values are right these are told apart, and where they tell nothing values stay as sure as they were.
func TestAnew(t *testing.T) {
	weights := form.Weights{form.ConfidenceWeight("word", "any"): 1}
	for told, want := range map[bool]bool{true: true, false: false} {
		var judged []verdict
		for i := range 400 {
			right, others := i%4 > 0, 0.0
			if told && !right || !told && i%8 > 3 {
				others = 2
			}
			judged = append(judged, verdict{form.Evidence{
				Decoder: "word", Features: map[string]float64{"any": 1}, Anew: map[string]float64{"any": 1, "sure": 9, "others": others},
			}, right})
		}
		w := anew(judged, weights)
		low, high := verdict{Evidence: judged[0].Evidence}, verdict{Evidence: judged[1].Evidence}
		apart := high.further(w) - low.further(w)
		if len(w) != 3 || want && apart < 2 || !want && math.Abs(apart) > 0.2 {
			t.Errorf("cuts that tell, %v: %v apart by %v", told, w, apart)
		}
		found, _ := calibrate(judged, 0.05, nil, weights)
		if found[form.ConfidenceWeight("word", "any")] != 1 || found[limitOf("word")] != 0.95 {
			t.Errorf("one look counts %v", found)
		}
	}
}
