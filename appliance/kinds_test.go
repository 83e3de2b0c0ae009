package appliance

import (
	"slices"
	"testing"
)

// TestContract: the kinds of the contract are told apart by name and endpoint, and have each field once; sides belong to each
// other; what several kinds say is a text on all or a date on all, and at least two say it; sizes and regions can be.
func TestContract(t *testing.T) {
	named, asked := map[Kind]bool{}, map[Endpoint]bool{}
	dates := map[Meaning][]bool{}
	for _, k := range Contract() {
		if named[k.Kind] || asked[k.Endpoint] || len(k.Fields) == 0 || len(k.Sizes) == 0 {
			t.Errorf("%s at %s: twice, or without fields or sizes", k.Kind, k.Endpoint)
		}
		named[k.Kind], asked[k.Endpoint] = true, true
		if k.OtherSide != "" && k.OtherSide.Facts().OtherSide != k.Kind {
			t.Errorf("the other side of %s is %s, whose other side is %s", k.Kind, k.OtherSide, k.OtherSide.Facts().OtherSide)
		}
		fields := map[string]bool{}
		for _, f := range k.Fields {
			if f.Name == "" || fields[f.Name] {
				t.Errorf("%s: field %q", k.Kind, f.Name)
			}
			fields[f.Name] = true
			if f.Says != "" && f.Name == k.Kind.Saying(f.Says)[0] {
				dates[f.Says] = append(dates[f.Says], f.Date)
			}
		}
		checkPlaces(t, k)
	}
	for _, k := range []Kind{NationalIDFront, NationalIDBack, CarLicenseFront, CarLicenseBack, Passport, DrivingLicense, LicensePlate} {
		if !named[k] {
			t.Errorf("%s is missing", k)
		}
	}
	for meaning, date := range dates {
		if len(date) < 2 || len(slices.Compact(date)) != 1 {
			t.Errorf("%s: said by %d kinds, as dates %v", meaning, len(date), date)
		}
	}
}

func checkPlaces(t *testing.T, k Facts) {
	t.Helper()
	for _, s := range k.Sizes {
		if s.Width < 20 || s.Width > 420 || s.Height < 20 || s.Height > 420 {
			t.Errorf("%s: size %v", k.Kind, s)
		}
	}
	if k.Portrait == nil {
		return
	}
	for _, r := range append(k.Beside[:], *k.Portrait) {
		if r[0] < 0 || r[0] >= r[2] || r[2] > 1 || r[1] < 0 || r[1] >= r[3] || r[3] > 1 {
			t.Errorf("%s: region %v", k.Kind, r)
		}
	}
}
