package card

import (
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
)

// TestOwnLonger: where a site's wording is a known one and more words, a misread one is no known label with a value behind it.
func TestOwnLonger(t *testing.T) {
	s := sheetShowing()
	longer := egypt.NewPhrase(egypt.LabelName, "الاسم كما في البطاقة")
	s.own = ownOf(map[appliance.Kind]Own{appliance.DrivingLicense: {Labels: []egypt.Phrase{longer}}})
	for text, want := range map[string]int{"الاسم كما في البطاقة": 4, "الاسم كماقي البطاقه": 3, "تاريخ الإصدار": 2} {
		if at, _ := egypt.LocateLabel(strings.Fields(text), s.labelsOf(appliance.DrivingLicense)); at.From != 0 || at.To != want {
			t.Errorf("%s: the label is words %d to %d, want %d", text, at.From, at.To, want)
		}
	}
}

// TestOwn: a wording that a site has for a label is cut off the value that it announces, and a value that a closed list lacks is kept as
// sure as its ink; without the site's knowledge neither is.
func TestOwn(t *testing.T) {
	known := map[appliance.Kind]own{}
	clear := func(printed string) func(string) float64 {
		return func(text string) float64 {
			if text == printed {
				return -0.01
			}
			return -12
		}
	}
	sites := ownOf(map[appliance.Kind]Own{appliance.DrivingLicense: {
		Labels: []egypt.Phrase{egypt.NewPhrase(egypt.LabelAddress, "يقيم بناحية")},
		Terms:  map[string][]string{"licenseType": {"مهنية أولى", "خاصة"}},
	}})
	for name, test := range map[string]struct {
		own    map[appliance.Kind]own
		label  egypt.Label
		listed string
	}{"the program's": {known, "", "مهنية درجة أولى"}, "the site's": {sites, egypt.LabelAddress, "مهنية أولى"}} {
		s := sheetShowing(wordsAt{400, 480, 50, "يقيم بناحية"}, wordsAt{300, 480, 70, "شارع النيل - أسوان"})
		s.own = test.own
		all, err := s.readCells(t.Context(), s.labelsOf(appliance.DrivingLicense))
		if err != nil {
			t.Fatal(err)
		}
		if at := all.find(egypt.LabelAddress); (at >= 0) != (test.label != "") {
			t.Errorf("%s: the label is cell %d of %d", name, at, len(all))
		}
		kinds := s.expected(appliance.DrivingLicense, "licenseType", egypt.LicenceKinds())
		got := kinds.Choose("مهنية أولى", -0.01, clear("مهنية أولى"))
		if got.Value != test.listed || (got.Confidence > 0.9) != (test.label != "") {
			t.Errorf("%s: %+v", name, got)
		}
		if got := kinds.Choose("خاصة", -0.01, clear("خاصة")); got.Confidence < 0.9 {
			t.Errorf("%s: what both lists hold is %+v", name, got)
		}
	}
}
