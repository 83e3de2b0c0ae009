package text

import (
	"math"
	"testing"
)

// Property: digits of the reader of words are as likely as it read them, and of their own number of digits alone.
func TestSpelled(t *testing.T) {
	read, probs := []byte{1, 2, 4}, []float64{0.9, 1, 0.5}
	s := Spelled{Signs: []Symbol{{Rune: '1', Prob: 0.9}, {Rune: '٢', Prob: 1}, {Rune: '4', Prob: 0.5}}, Said: "12/4", Confidence: 0.45}
	if math.Abs(s.LogLength(3)-math.Log(0.45)) > 1e-9 || s.LogLength(4) > math.Log(0.01) {
		t.Errorf("3 digits %v, 4 digits %v", s.LogLength(3), s.LogLength(4))
	}
	for i, c := range s.Cells(3) {
		sum := 0.0
		for _, p := range c {
			sum += math.Exp(p)
		}
		if math.Abs(sum-1) > 1e-9 || math.Abs(math.Exp(c[read[i]])-min(probs[i], 0.9999)) > 1e-9 {
			t.Errorf("digit %d: %v", i, c)
		}
	}
	if c := s.Cells(2); c[0] != c[1] || c[0][1] != c[0][2] {
		t.Errorf("something is known of another number of digits: %v", c)
	}
}
