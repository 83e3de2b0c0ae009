package egypt

import "testing"

// Property: what the signer of a card is and notices are imprints, also with a letter misread; jobs, remarks and names are none.
func TestImprint(t *testing.T) {
	for line, want := range map[string]bool{
		"رئيس الوحدة": true, "مدير الاداره": true, "يجب تجديد الرخصة قبل انتهانها": true, "مدير إدارة": false, "رئيس قسم بالكهرباء": false, "بدل فاقد": false, "أحمد علي": false, "": false,
	} {
		if Imprint(line) != want {
			t.Errorf("%q: imprint %v", line, !want)
		}
	}
}
