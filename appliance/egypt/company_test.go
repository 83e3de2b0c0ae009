package egypt_test

import (
	"testing"

	"github.com/bawab/bawab/appliance/egypt"
)

// Property: a line is told by its first word, however it is spelled, and no word within a line counts: a company by what companies begin
// with, what is counted, measured or numbered by a word behind which a number stands.
func TestFirstWords(t *testing.T) {
	for line, want := range map[string]struct{ company, number bool }{
		"شركة النيل":       {company: true},
		"شركه النيل":       {company: true},
		"محمد شركة":        {},
		"عدد الركاب ٤":     {number: true},
		"حمولة ٢٠٠٠ كجم":   {number: true},
		"حموله":            {number: true},
		"رقم الوثيقة ٨٠٠٥": {number: true},
		"سعة ٥٠٠٠ لتر":     {number: true},
		"تأمين رقم ٨٠":     {},
		"محظور البيع":      {},
		"":                 {},
	} {
		if c, n := egypt.NamesCompany(line), egypt.AsksNumber(line); c != want.company || n != want.number {
			t.Errorf("%q: names a company %v, asks for a number %v", line, c, n)
		}
	}
}
