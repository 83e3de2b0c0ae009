package names

import (
	"math"
	"slices"
	"sync"

	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/appliance/egypt/number"
)

// womensNameOfMan is the share of men who bear a name that the dictionary holds for women alone, against what the size of its lists leads to
// expect, by judgement. The other way round nothing is said: names of both sexes stand among those of men.
const womensNameOfMan = 0.02

// LogLineage says how much likelier a name is as an Egyptian's than its words are alone, as a natural logarithm: the first name is that of a
// person of that sex, "" where it is not known, and those of the father, the grandfather and so on follow, who are men.
func LogLineage(name string, first number.Sex) (sum float64) {
	for i, unit := range Units(name) {
		if (i > 0 || first == number.Male) && ofWomenAlone()[arabic.Fold(unit)] {
			sum += math.Log(womensNameOfMan)
		}
	}
	return sum
}

// ofWomenAlone are the folded names of women that stand in no other list.
var ofWomenAlone = sync.OnceValue(func() map[string]bool {
	women := map[string]bool{}
	for _, n := range Women() {
		women[arabic.Fold(n)] = true
	}
	for _, n := range slices.Concat(Men(), Coptic(), Families(), Compounds(), Stems()) {
		delete(women, arabic.Fold(n))
	}
	return women
})
