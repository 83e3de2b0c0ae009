package egypt

import "testing"

// A line ends in a governorate whatever parts its name from the place before, and with a letter misread.
func TestEndsInPlace(t *testing.T) {
	for line, want := range map[string]bool{
		"الدقي - الجيزة": true, "الدقي-الجيزه": true, "قنا–قنا": true, "الدقي الجيزة": true, "الفشن / بني سويف": true,
		"دسوق كفر الشيخ": true, "طابا - جنوب سيناء": true, "قسم المرج - القاهره": true, "مركز تلا - النوفية": true,
		"الدقي - الجنزة": true, "الجيزة": true, "شارع النيل": false, "الجيزة شارع": false, "": false, "- ": false,
	} {
		if got := EndsInPlace(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
