package card

import (
	"path/filepath"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/inferencetest"
)

// Property: the licence that is sought is read also where something larger, of no kind, was found with it, and where the finder
// takes it for a passport: the print decides.
func TestPrintDecidesWhatIsRead(t *testing.T) {
	lines, _ := inferencetest.Product(t, "lines")
	chars, _ := inferencetest.Product(t, "mrz")
	tools := cardTools(t)
	tools.Zones = NewZoneReader(lines, chars, tools.Now)
	card := goldenTruth(t, "licences")[0]
	p := picture(t, filepath.Join("licences", card.File))
	d := card.Documents[0]
	quad := corners(d.Quad)
	corner := appliance.Quad{{X: 0, Y: 0}, {X: 60, Y: 0}, {X: 60, Y: 40}, {X: 0, Y: 40}}
	for name, found := range map[string]foundBy{
		"beside another paper": {{Kind: appliance.Unknown, Quad: corner}, {Kind: appliance.Unknown, Quad: quad}},
		"like a passport":      {{Kind: appliance.Passport, Quad: quad}},
	} {
		tools.Finder = found
		got, err := NewReader(d.Kind, tools).Read(t.Context(), p, nil)
		if err != nil || got.Documents[0].Kind != d.Kind {
			t.Errorf("%s: %+v, %v", name, got.Documents, err)
		}
	}
}

// Property: a name that has two words fewer in one script than in the other is doubtful; one word fewer is a spelling.
func TestNamesOfTwoScripts(t *testing.T) {
	for name, test := range map[string]struct{ arabic, latin, doubtful string }{
		"alike":         {"حلا مندوه عثمان", "HLA MNDWH OSMAN", ""},
		"spelled apart": {"حلا عبدالمحسن عثمان", "HLA ABD ELMHSN OSMAN", ""},
		"arabic short":  {"مندوه عثمان يعقوب", "HLA ABD ELMHSN MNDWH OSMAN YAKWB", "nameArabic"},
		"latin short":   {"حلا عبد المحسن عثمان", "HLA ABD", "nameEnglish"},
		"latin missing": {"حلا عبد المحسن عثمان", "", ""},
	} {
		d := appliance.Document{Fields: []appliance.Field{{Name: "nameArabic", Value: test.arabic}, {Name: "nameEnglish", Value: test.latin}}}
		e := editor{Document: &d}
		e.compareNames()
		for _, field := range []string{"nameArabic", "nameEnglish"} {
			if flagged(d, field) != (field == test.doubtful) {
				t.Errorf("%s: %s is doubtful: %v", name, field, flagged(d, field))
			}
		}
	}
}

// Property: an engine too large for its cylinders is doubtful, in both numbers, and none that is built is.
func TestEngineTooLargeForItsCylinders(t *testing.T) {
	for _, test := range []struct {
		volume, cylinders string
		doubtful          bool
	}{{"1598", "4", false}, {"15980", "4", true}, {"16000", "6", false}, {"1598", "", false}, {"", "4", false}} {
		d := appliance.Document{Fields: []appliance.Field{{Name: "volume", Value: test.volume}, {Name: "cylinder", Value: test.cylinders}}}
		e := editor{Document: &d}
		e.doubtSize()
		if flagged(d, "volume") != test.doubtful || flagged(d, "cylinder") != test.doubtful {
			t.Errorf("%s cc in %s cylinders: flags %+v", test.volume, test.cylinders, d.Validations)
		}
	}
}
