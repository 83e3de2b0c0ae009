package egypt

import "testing"

// A line is parted before its governorate whatever stands there, and only there.
func TestSplitPlace(t *testing.T) {
	for line, want := range map[string]string{
		"الدقي - الجيزة": "الدقي|الجيزة", "الدقي-الجيزه": "الدقي|الجيزه", "قنا–قنا": "قنا|قنا", "الدقي الجيزة": "الدقي|الجيزة",
		"الفشن / بني سويف": "الفشن|بني سويف", "دسوق كفر الشيخ": "دسوق|كفر الشيخ", "طابا - جنوب سيناء": "طابا|جنوب سيناء",
		"الجيزة": "", "شارع النيل": "", "": "", "- ": "",
	} {
		head, tail, ok := splitPlace(line)
		if got := head + "|" + tail; ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q", line, got)
		}
	}
}
