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

// Property: each label has the value of its own row or column, also where the card lies askew, where a value was overlooked, where
// a label was seen in two pieces or in part, where the values of two columns were seen as one line, and where the boxes of a table hold them at
// any place. An engine number is none the less for looking like a date but for its letters. On forms the values stand above their labels, on cards laid
// out from left to right behind them, the same in English before each or at the left end of its box. Where hardly an Arabic label stands on a card, the English ones announce the same.
func TestPairs(t *testing.T) {
	for name, test := range map[string]struct {
		prints []wordsAt
		want   map[egypt.Label]string
	}{
		"values lower than labels": {[]wordsAt{
			{440, 480, 50, "اللون"},
			{300, 330, 56, "أحمر"},
			{440, 480, 70, "الوقود"},
			{295, 330, 76, "بنزين"},
			{440, 480, 90, "الطراز"},
			{295, 330, 96, "كورولا"},
			{440, 480, 110, "الماركة"},
			{295, 330, 116, "تويوتا"},
		}, map[egypt.Label]string{egypt.LabelColour: "أحمر", egypt.LabelFuel: "بنزين", egypt.LabelModel: "كورولا", egypt.LabelMake: "تويوتا"}},
		"an overlooked value in a grid": {[]wordsAt{
			{440, 480, 50, "اللون"},
			{200, 240, 50, "الوقود"},
			{200, 240, 68, "بنزين"},
			{440, 480, 90, "الماركة"},
			{200, 240, 90, "الطراز"},
			{440, 480, 108, "تويوتا"},
			{200, 240, 108, "كورولا"},
		}, map[egypt.Label]string{egypt.LabelColour: "", egypt.LabelFuel: "بنزين", egypt.LabelMake: "تويوتا", egypt.LabelModel: "كورولا"}},
		"a label in two pieces": {
			[]wordsAt{{450, 480, 50, "سعة"}, {405, 427, 50, "المحرك"}, {300, 330, 50, "1600"}},
			map[egypt.Label]string{egypt.LabelVolume: "1600"},
		},
		"a label misread in part": {
			[]wordsAt{{380, 480, 50, "السعة القرية"}, {300, 330, 50, "1600"}},
			map[egypt.Label]string{egypt.LabelVolume: "1600"},
		},
		"two columns seen as one line": {
			[]wordsAt{{400, 480, 50, "الماركة"}, {270, 350, 50, "الطراز"}, {240, 480, 68, "تويوتا كورولا"}},
			map[egypt.Label]string{egypt.LabelMake: "تويوتا", egypt.LabelModel: "كورولا"},
		},
		"boxes of a table": {[]wordsAt{
			{390, 430, 50, "اللون"},
			{150, 190, 50, "الوقود"},
			{440, 480, 88, "أحمر"},
			{250, 290, 88, "بنزين"},
			{390, 450, 120, "الماركة"},
			{150, 190, 120, "الطراز"},
			{395, 440, 160, "تويوتا"},
			{155, 195, 160, "كورولا"},
		}, map[egypt.Label]string{egypt.LabelColour: "أحمر", egypt.LabelFuel: "بنزين", egypt.LabelMake: "تويوتا", egypt.LabelModel: "كورولا"}},
		"labels below the lines of a form": {[]wordsAt{
			{420, 480, 50, "تويوتا"},
			{180, 240, 50, "كورولا"},
			{440, 480, 68, "الماركة"},
			{200, 240, 68, "الطراز"},
			{440, 480, 92, "أحمر"},
			{200, 240, 92, "1600"},
			{440, 480, 110, "اللون"},
			{170, 240, 110, "سعة المحرك"},
		}, map[egypt.Label]string{egypt.LabelMake: "تويوتا", egypt.LabelModel: "كورولا", egypt.LabelColour: "أحمر", egypt.LabelVolume: "1600"}},
		"laid out from left to right": {[]wordsAt{
			{20, 180, 50, "تويوتا الماركة Make"}, {20, 170, 70, "كورولا الطراز Model"}, {20, 160, 90, "أحمر اللون Colour"}, {20, 170, 110, "بنزين الوقود Fuel"},
		}, map[egypt.Label]string{egypt.LabelMake: "تويوتا", egypt.LabelModel: "كورولا", egypt.LabelColour: "أحمر", egypt.LabelFuel: "بنزين"}},
		"in the middle of boxes": {[]wordsAt{
			{440, 480, 50, "الماركة"},
			{280, 305, 50, "Make"},
			{200, 240, 50, "الطراز"},
			{20, 50, 50, "Model"},
			{350, 395, 72, "تويوتا"},
			{100, 150, 72, "كورولا"},
			{440, 480, 100, "اللون"},
			{280, 320, 100, "Colour"},
			{200, 240, 100, "الوقود"},
			{20, 45, 100, "Fuel"},
			{350, 390, 122, "أحمر"},
			{105, 150, 122, "بنزين"},
		}, map[egypt.Label]string{egypt.LabelMake: "تويوتا", egypt.LabelModel: "كورولا", egypt.LabelColour: "أحمر", egypt.LabelFuel: "بنزين"}},
		"a colon among labels above their values": {[]wordsAt{
			{380, 480, 50, "الطراز: كورولا"},
			{440, 480, 70, "سيدان"},
			{440, 480, 100, "الماركة"},
			{200, 240, 100, "اللون"},
			{440, 480, 120, "تويوتا"},
			{200, 240, 120, "أحمر"},
			{440, 480, 150, "الوقود"},
			{435, 480, 170, "بنزين"},
		}, map[egypt.Label]string{egypt.LabelModel: "كورولا", egypt.LabelMake: "تويوتا", egypt.LabelColour: "أحمر", egypt.LabelFuel: "بنزين"}},
		"numbers that head a card above their labels": {[]wordsAt{
			{200, 320, 30, "WBANH8CAYU5399238"},
			{235, 285, 54, "شاسيه"},
			{210, 310, 84, "N13823669"},
			{225, 295, 108, "رقم الموتور"},
			{440, 480, 140, "اللون"},
			{200, 240, 140, "الوقود"},
			{440, 480, 162, "أحمر"},
			{200, 240, 162, "بنزين"},
			{440, 480, 190, "الماركة"},
			{200, 240, 190, "الطراز"},
			{435, 480, 212, "تويوتا"},
			{195, 240, 212, "كورولا"},
		}, map[egypt.Label]string{egypt.LabelChassis: "WBANH8CAYU5399238", egypt.LabelMotor: "N13823669", egypt.LabelColour: "أحمر", egypt.LabelMake: "تويوتا"}},
		"a table of high rows": {[]wordsAt{
			{440, 480, 40, "الماركة"},
			{200, 240, 40, "الطراز"},
			{440, 480, 88, "تويوتا"},
			{200, 240, 88, "كورولا"},
			{440, 480, 136, "اللون"},
			{200, 250, 136, "عدد السلندرات"},
			{440, 480, 184, "أحمر"},
			{232, 240, 184, "4"},
		}, map[egypt.Label]string{egypt.LabelMake: "تويوتا", egypt.LabelModel: "كورولا", egypt.LabelColour: "أحمر", egypt.LabelCylinders: "4"}},
		"labels in English alone": {[]wordsAt{
			{20, 50, 50, "Make"},
			{440, 480, 50, "تويوتا"},
			{20, 60, 70, "Model"},
			{440, 480, 70, "كورولا"},
			{20, 60, 90, "Colour"},
			{440, 480, 90, "أحمر"},
			{20, 80, 110, "Cylinders"},
			{470, 480, 110, "4"},
			{20, 50, 130, "Fuel"},
			{440, 480, 130, "بنزين"},
		}, map[egypt.Label]string{egypt.LabelMake: "تويوتا", egypt.LabelModel: "كورولا", egypt.LabelColour: "أحمر", egypt.LabelCylinders: "4", egypt.LabelFuel: "بنزين"}},
		"a column that mirrors the other one": {[]wordsAt{
			{440, 480, 50, "الماركة"},
			{350, 390, 50, "تويوتا"},
			{20, 60, 50, "الطراز"},
			{100, 150, 50, "كورولا"},
			{440, 480, 70, "اللون"},
			{350, 390, 70, "أحمر"},
			{20, 60, 70, "الوقود"},
			{100, 150, 70, "بنزين"},
			{440, 480, 90, "سعة المحرك"},
			{350, 390, 90, "1600"},
		}, map[egypt.Label]string{egypt.LabelMake: "تويوتا", egypt.LabelModel: "كورولا", egypt.LabelColour: "أحمر", egypt.LabelFuel: "بنزين", egypt.LabelVolume: "1600"}},
		"strokes for colons in running text": {[]wordsAt{{60, 480, 50, "رقم الموتور / R1639117 ماركة / هوندا"}}, map[egypt.Label]string{egypt.LabelMotor: "R1639117", egypt.LabelMake: "هوندا"}},
		"the year behind the label of the model": {
			[]wordsAt{{440, 480, 50, "موديل"}, {350, 390, 50, "2023"}, {440, 480, 70, "اللون"}, {350, 390, 70, "أحمر"}},
			map[egypt.Label]string{egypt.LabelModelYear: "2023", egypt.LabelColour: "أحمر"},
		},
		"initials for labels": {
			[]wordsAt{{200, 480, 50, "ش TMB3C905PY4138324"}, {300, 480, 70, "م K4M344725"}},
			map[egypt.Label]string{egypt.LabelChassis: "TMB3C905PY4138324", egypt.LabelMotor: "K4M344725"},
		},
		"a number tied to its label by a dash": {[]wordsAt{{380, 480, 50, "عدد السلندرات-6"}}, map[egypt.Label]string{egypt.LabelCylinders: "6-"}},
		"an engine number like a date": {
			[]wordsAt{{400, 480, 50, "رقم المحرك"}, {390, 480, 68, "1ZR-2963249"}, {400, 480, 90, "اللون"}, {440, 480, 108, "أحمر"}},
			map[egypt.Label]string{egypt.LabelMotor: "1ZR-2963249", egypt.LabelColour: "أحمر"},
		},
	} {
		all, err := sheetShowing(test.prints...).readCells(t.Context(), vehicleLabels())
		if err != nil {
			t.Fatal(err)
		}
		for label, want := range test.want {
			got := ""
			if i := all.find(label); i >= 0 {
				for _, k := range all.valueOf(i) {
					got = all[k].text + got
				}
			} else if want != "" {
				t.Errorf("%s: %s not found", name, label)
			}
			if got != want {
				t.Errorf("%s: %s has %q, want %q", name, label, got, want)
			}
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

// Property: a phrase that values hold, a unit and a number never become a label that was misread.
func TestValuesAreNoLabels(t *testing.T) {
	all, err := sheetShowing(
		wordsAt{440, 480, 50, "الشكل"}, wordsAt{200, 240, 50, "اللون"}, wordsAt{400, 480, 68, "ملاكي"}, wordsAt{200, 240, 68, "أحمر"},
		wordsAt{440, 480, 90, "الوقود"}, wordsAt{400, 480, 108, "بنزين"}, wordsAt{360, 480, 130, "ادارة مرور الفيوم"}, wordsAt{400, 480, 150, "معفى"},
	).readCells(t.Context(), append(vehicleLabels(), drivingLabels()...))
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string]bool{"الشكل": true, "اللون": true, "الوقود": true}
	for _, c := range all {
		if (c.label != "") != labels[c.text] {
			t.Errorf("%q is %q", c.text, c.label)
		}
	}
}

// Property: a label that the detector overlooked is found where its column leaves out a row, and its value beside it.
func TestOverlookedRow(t *testing.T) {
	prints := []wordsAt{
		{440, 480, 50, "اللون"},
		{300, 340, 50, "أحمر"},
		{440, 480, 70, "الطراز"},
		{300, 340, 70, "كورولا"},
		{440, 480, 110, "الماركة"},
		{300, 340, 110, "تويوتا"},
		{440, 480, 130, "الشكل"},
		{300, 340, 130, "سيدان"},
	}
	s := sheetShowing(prints...)
	all := sheetShowing(append(prints, wordsAt{440, 480, 90, "الوقود"}, wordsAt{300, 340, 90, "بنزين"})...)
	s.words = all.words // the detector saw no row at 90
	cells, err := s.readCells(t.Context(), vehicleLabels())
	if err != nil {
		t.Fatal(err)
	}
	i := cells.find(egypt.LabelFuel)
	if i < 0 {
		t.Fatal("the label was not found")
	}
	e, err := s.readOverlookedWords(t.Context(), cells.overlooked(i), egypt.Fuels())
	if err != nil || e.text != "بنزين" {
		t.Errorf("its value is %q, %v", e.text, err)
	}
}

// Property: engine numbers and volumes are told from years, dates and other numbers by their form.
func TestFormsOfNumbers(t *testing.T) {
	for text, want := range map[string]bool{"CDJ90128765": true, "88110141": true, "٨٨١١٠١٤١": true, "C0XYVR6SEGJC79FTC": false, "1600": false, "2021/08/26": false, "": false} {
		if motorLike(text) != want {
			t.Errorf("motorLike(%q) is %v", text, !want)
		}
	}
	for text, want := range map[string]bool{"1600": true, "٩٩٩": true, "0999": false, "16": false, "16000": false, "لون": false, "": false} {
		if volumeLike(text) != want {
			t.Errorf("volumeLike(%q) is %v", text, !want)
		}
	}
}

// Property: نوع السيارة announces the make where another label announces the body, or where a make follows it; where the make is labelled, or a body follows, the body.
func TestMakeOfKind(t *testing.T) {
	for name, test := range map[string]struct {
		lines []string
		want  egypt.Label
	}{
		"beside the body":    {[]string{"نوع السيارة : رومر", "شكل المركبة : سيدان"}, egypt.LabelMake},
		"before a make":      {[]string{"نوع السيارة : هافال", "اللون : أبيض"}, egypt.LabelMake},
		"before a body":      {[]string{"نوع السيارة : سيدان", "اللون : أبيض"}, egypt.LabelBody},
		"the make is there":  {[]string{"نوع السيارة : فان", "الماركة : هافال"}, egypt.LabelBody},
		"two, one of a make": {[]string{"نوع السيارة : دايهاتسو", "نوع المركبة : كابينة مزدوجة"}, egypt.LabelMake},
	} {
		var prints []wordsAt
		for i, line := range test.lines {
			prints = append(prints, wordsAt{200, 480, 60 + 40*float64(i), line})
		}
		all, err := sheetShowing(prints...).readCells(t.Context(), vehicleLabels())
		if err != nil || all[0].label != test.want {
			t.Errorf("%s: %q, want %q, %v", name, all[0].label, test.want, err)
		}
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
