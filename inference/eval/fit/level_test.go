package fit

import (
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bawab/bawab/inference/text"
)

// Property: what rows tell of where letters stand is learned, also where it is no sum of traits, and the same from the same lines.
func TestLearnLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	n := len(text.RowTraits())
	draw := func() shown {
		x := shown{traits: make([]float64, n)}
		for i := range n - 1 {
			x.traits[i] = 3 + rng.NormFloat64()
		}
		x.traits[n-1] = 1
		x.level = [2]float64{0.05 + 0.1*math.Tanh(x.traits[2]-x.traits[7]), 0.1 * math.Tanh((x.traits[4] - 3))}
		return x
	}
	lines := make([]shown, 3000)
	for i := range lines {
		lines[i] = draw()
	}
	numbers := learnLevels(lines, 1)
	rows, err := text.NewRows(numbers)
	if err != nil {
		t.Fatal(err)
	}
	off, all := [2]float64{}, [2]float64{}
	for range 500 {
		x := draw()
		lower, higher := rows.Level(x.traits)
		for k, v := range [2]float64{lower, math.Log(higher)} {
			off[k] += math.Pow(v-x.level[k], 2)
		}
		all[0], all[1] = all[0]+math.Pow(x.level[0]-0.05, 2), all[1]+math.Pow(x.level[1], 2)
	}
	if off[0] > 0.15*all[0] || off[1] > 0.15*all[1] {
		t.Errorf("of the squares %.2f and %.2f are left", off[0]/all[0], off[1]/all[1])
	}
	if again := learnLevels(lines, 1); !maps.Equal(again, numbers) {
		t.Error("the same lines give other numbers")
	}
}
