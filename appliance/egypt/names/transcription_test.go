package names

import "testing"

// Property: of two readings of an Arabic name the one counts for more that the Latin line beside it spells, however that writes vowels
// and compounds; and a line that is another name, or none, tells nothing.
func TestLogTranscription(t *testing.T) {
	for _, test := range []struct{ latin, right, wrong string }{
		{"MAGDY ARHT ABO ELSNHWRY", "مجدي أرهط أبو السنهوري", "مجدي أره أبو السنهوري"},
		{"MTHGHZ NZAR YWNS", "مثغذ نزار يونس", "متغذ نزار يونس"},
		{"Mohamed Abdelrahman Elsayed", "محمد عبد الرحمن السيد", "محمد عبد الرحمن السعيدان"},
		{"AHMED Shawky", "احمد شوقي", "احهد شوقي"},
		{"Khaled Rashed", "خالد راشد", "حالد راشد"},
		{"RAGB HSNYN", "رجب حسنين", "رحب حسنين"},
	} {
		right, ok := LogTranscription(test.right, test.latin)
		wrong, _ := LogTranscription(test.wrong, test.latin)
		if !ok || right > 0 || right < wrong+0.35 {
			t.Errorf("%s: %s %.1f (%v), %s %.1f", test.latin, test.right, right, ok, test.wrong, wrong)
		}
	}
	for _, latin := range []string{"", "123", "TWNA TWADRWS MTRA", "X"} {
		if v, ok := LogTranscription("روان شلبى وجدي نافع النوبى", latin); ok {
			t.Errorf("%q: %.1f", latin, v)
		}
	}
	if _, ok := LogTranscription("", "AHMED"); ok {
		t.Error("no name is spelled")
	}
}

// Whatever was read, a transcription is no number above 0.
func FuzzLogTranscription(f *testing.F) {
	f.Add("محمد", "Mohamed")
	f.Add("ab", "é٣ñ")
	f.Fuzz(func(t *testing.T, arabic, latin string) {
		if v, _ := LogTranscription(arabic, latin); !(v <= 0) {
			t.Errorf("%q, %q: %v", arabic, latin, v)
		}
	})
}
