package card

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// Property: of all ways to give rows columns, the cheapest is found: for small random costs, the one that trying all finds.
func TestCheapestIsCheapest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		cost := make([][]float64, 1+r.IntN(4))
		columns := r.IntN(5)
		for i := range cost {
			cost[i] = make([]float64, columns)
			for k := range cost[i] {
				cost[i][k] = math.Floor(10*r.Float64()) - 1
				if r.IntN(4) == 0 {
					cost[i][k] = math.Inf(1)
				}
			}
		}
		const alone = 5
		taken := make([]bool, columns)
		var best func(i int) float64
		best = func(i int) float64 {
			if i == len(cost) {
				return 0
			}
			least := alone + best(i+1)
			for k := range taken {
				if !taken[k] && !math.IsInf(cost[i][k], 1) {
					taken[k] = true
					least = min(least, cost[i][k]+best(i+1))
					taken[k] = false
				}
			}
			return least
		}
		chosen, sum := cheapest(cost, alone)
		check, seen := 0.0, map[int]bool{}
		for i, k := range chosen {
			if k < 0 {
				check += alone
				continue
			}
			if seen[k] {
				t.Fatalf("%v: column %d twice", cost, k)
			}
			seen[k] = true
			check += cost[i][k]
		}
		if want := best(0); math.Abs(sum-want) > 1e-9 || math.Abs(check-want) > 1e-9 {
			t.Fatalf("%v: %v for %g, want %g", cost, chosen, sum, want)
		}
	}
}

// Property: what stands in a row of small labels above values is a label although it says nothing, and its value none of theirs; print of the
// height of values is none, nor is small text where values stand beside their labels.
func TestIllegibleLabels(t *testing.T) {
	at := func(left, right, y, height float64, words string, label egypt.Label) cell {
		line := piece{text.Line{Start: appliance.Point{X: left, Y: y}, End: appliance.Point{X: right, Y: y}, Height: height}}
		return cell{entry: entry{row{line}, script{text: words, confidence: 0.9}}, label: label}
	}
	below := cells{
		at(440, 480, 50, 7, "الجنسية", egypt.LabelNationality), at(330, 370, 50, 7, "الحانفة", ""), at(430, 480, 70, 10, "مصري", ""), at(320, 370, 70, 10, "عامل", ""),
		at(440, 480, 100, 7, "الاسم", egypt.LabelName), at(400, 480, 120, 10, "محمود حسام", ""), at(440, 480, 150, 7, "العنوان", egypt.LabelAddress),
		at(330, 360, 150, 10, "أسوان", ""), at(400, 480, 170, 10, "شارع النيل", ""), at(330, 360, 172, 10, "خاصة", ""),
		at(440, 480, 200, 7, "المهنة", egypt.LabelJob), at(440, 480, 220, 10, "طالب", ""),
		// The date is as small as its label, and none.
		at(440, 480, 250, 7, "حررت في", egypt.LabelIssued), at(330, 420, 250, 7, "٢٠٢٢/١١/٢٤", ""), at(330, 480, 270, 10, "يستعمل سماعة", ""),
	}
	beside := cells{
		at(440, 480, 50, 7, "الجنسية", egypt.LabelNationality), at(330, 370, 50, 10, "مصري", ""), at(200, 240, 50, 7, "٦", ""), at(200, 240, 70, 10, "عامل", ""),
		at(440, 480, 100, 7, "الاسم", egypt.LabelName), at(330, 370, 100, 10, "محمود", ""), at(440, 480, 150, 7, "العنوان", egypt.LabelAddress), at(330, 370, 150, 10, "أسوان", ""),
	}
	for name, test := range map[string]struct {
		cells cells
		want  []string
	}{"below": {below, []string{"الحانفة"}}, "beside": {beside, nil}} {
		test.cells.illegibleLabels()
		var got []string
		for _, c := range test.cells {
			if c.label == egypt.LabelIllegible {
				got = append(got, c.text)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
	below.pair(newVocabulary())
	if v := below.valueOf(0); len(v) != 1 || below[v[0]].text != "مصري" {
		t.Errorf("the nationality has the values %v", v)
	}
}

// Property: a make may be printed as its maker writes it, a colour or a fuel may not.
func TestMakeInLatinLetters(t *testing.T) {
	known := newVocabulary()
	for label, want := range map[egypt.Label]bool{egypt.LabelMake: true, egypt.LabelModel: true, egypt.LabelColour: false, egypt.LabelFuel: false} {
		c := cell{}
		c.text = "TOYOTA"
		if got := known.unlikeness(label, &c) < unlike; got != want {
			t.Errorf("%s: believed %v", label, got)
		}
	}
}
