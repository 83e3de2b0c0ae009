package egypt

import "testing"

// Property: an address is odd that ends in no governorate, names no street, or begins with a number that may hold a letter.
func TestOddAddresses(t *testing.T) {
	for value, want := range map[string]float64{
		"١٢ شارع النيل - المعادي - القاهرة": 0, "١٢ شارع النيل - المعادي": 1, "طنطا - الغربية": 1, "طنطا": 2,
		"١١٨٥ درب عمر - القناطر - القليوبية": 1,
	} {
		if got := (addressLines{}).Odd(value); got != want {
			t.Errorf("%s: %v, want %v", value, got, want)
		}
	}
}
