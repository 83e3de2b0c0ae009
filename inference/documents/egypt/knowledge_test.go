package egypt

import (
	"testing"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/field"
)

// Property: an address is odd that ends in no governorate, names no street, or begins with a number that may hold a letter.
func TestOddAddresses(t *testing.T) {
	addresses := addressLines{wording{egypt.NewAddressWording()}}
	for value, want := range map[string]float64{
		"١٢ شارع النيل - المعادي - القاهرة": 0, "١٢ شارع النيل - المعادي": 1, "طنطا - الغربية": 1, "طنطا": 2,
		"١١٨٥ درب عمر - القناطر - القليوبية": 1,
	} {
		if got := addresses.Odd(value); got != want {
			t.Errorf("%s: %v, want %v", value, got, want)
		}
	}
}

// Property: a wording tells how steadily a typist spells, more of a value whose words are all spelled in one way, and what nobody spells so.
func TestWitnessOfSpelling(t *testing.T) {
	w := wording{egypt.NewNameWording()}
	steady, mixed := w.Witness("", "على مصطفى حجازى", 0, field.Known{}), w.Witness("", "على مصطفى حجازي", 0, field.Known{})
	if steady <= mixed {
		t.Errorf("steady %.2f, mixed %.2f", steady, mixed)
	}
	if w.Odd("راغب علي") != 0 || w.Odd("رأغب علي") != 1 {
		t.Errorf("odd %v and %v", w.Odd("راغب علي"), w.Odd("رأغب علي"))
	}
}
