package plate

import (
	"testing"

	"github.com/bawab/bawab/appliance/egypt/number"
)

// Printed plates of every spelling become the form of the service; text that is no plate is told from one that breaks the rules.
func TestParsePlate(t *testing.T) {
	for _, c := range []struct {
		text, want  string
		form, valid bool
	}{
		{"س ن ب ١٢٣٤", "س ن ب 1234", true, true},
		{"١٢٣٤ س ن ب", "س ن ب 1234", true, true},
		{"سنب  1234", "س ن ب 1234", true, true},
		{"ا ى هـ ۱۲۳", "أ ى ه 123", true, true},
		{"أ-ي-ة | ٩", "أ ى ه 9", true, true},
		{"ﻫـ ﻭ ٥٥", "ه و 55", true, true},
		{"\u200fس ق\u202c / ٤٤٤٤", "س ق 4444", true, true},
		{"ز ى ن ٥٥٥٥", "ز ى ن 5555", true, false},
		{"س ن ب ١٢٠٤", "س ن ب 1204", true, false},
		{"س ن ب د ١٢٣", "س ن ب د 123", true, false},
		{"س ن ١٢٣٤٥", "س ن 12345", true, false},
		{"س ١ ن ٢", "", false, false},
		{"س ن ب", "", false, false},
		{"١٢٣٤", "", false, false},
		{"ABC 123", "", false, false},
		{"إدارة مرور القاهرة ١٢", "", false, false},
		{"", "", false, false},
	} {
		p, form := Parse(c.text)
		if got := p.String(); got != c.want || form != c.form || p.Valid() != c.valid {
			t.Errorf("%q: %q, form %t, valid %t; want %q, %t, %t", c.text, got, form, p.Valid(), c.want, c.form, c.valid)
		}
	}
}

// Letters of plates are told from others, in the forms in which they are printed.
func TestCarries(t *testing.T) {
	for sign, want := range map[rune]bool{
		'أ': true, 'ا': true, 'ي': true, 'ه': true, 'ـ': true, 'ش': false, 'ز': false, 'E': false, '٥': false,
	} {
		if Carries(sign) != want {
			t.Errorf("%c: %v", sign, !want)
		}
	}
}

// The counts and the last letter name the governorate that issues such plates, and no other plate does.
func TestPlateGovernorate(t *testing.T) {
	for text, want := range map[string]string{
		"س ن ب 123": "01", "س ن 1234": "21", "س ن ب 1234": "18", "ط د س 9876": "02", "ن ن ه 1111": "26",
		"ن ن ط 1111": "", "س 1": "", "س ن ب 1": "", "س ن 123": "", "ز ن ب 123": "", "س ن 1204": "",
	} {
		p, _ := Parse(text)
		if got := p.Governorate(); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if _, known := number.GovernorateOf(want); want != "" && !known {
			t.Errorf("%q: governorate %q is in no table", text, want)
		}
	}
}

// Whatever is printed, a plate that parses is written in a form that parses to itself.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"س ن ب ١٢٣٤", "١٢٣٤ هـ", "ﻼ 1", "ءؤئ ۹", "\xff١", "ا-١"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, form := Parse(text)
		if !form {
			if p.String() != "" || p.Valid() {
				t.Fatalf("%q: %q of no form", text, p)
			}
			return
		}
		again, form := Parse(p.String())
		if !form || again.String() != p.String() {
			t.Fatalf("%q: %q, then %q", text, p, again)
		}
	})
}
