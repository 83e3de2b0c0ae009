package fraud

import (
	"testing"

	"github.com/bawab/bawab/appliance"
)

// A number that disagrees scores by how sure it is, and less where rather a misread date explains it.
func TestNumberInconsistent(t *testing.T) {
	for name, c := range map[string]struct {
		printed string
		field   string
		code    appliance.Code
		doubt   bool
		want    float64
	}{
		"agrees":                {"1987/03/05", "", 0, false, 0},
		"another date":          {"1979/08/05", "dateOfBirth", appliance.CodeBirthMismatch, false, 0.9},
		"one digit":             {"1987/03/06", "dateOfBirth", appliance.CodeBirthMismatch, false, 0.9 * lonely},
		"no date":               {"1673/06/24", "dateOfBirth", appliance.CodeBirthMismatch, false, 0.9 * doubtful},
		"cut off":               {"1979/08", "dateOfBirth", appliance.CodeBirthMismatch, false, 0.9 * doubtful},
		"another gender":        {"1987/03/05", "gender", appliance.CodeGenderMismatch, false, 0.9},
		"doubtful number":       {"1979/08/05", "dateOfBirth", appliance.CodeBirthMismatch, true, 0.9 * doubtful},
		"another code of birth": {"1979/08/05", "dateOfBirth", appliance.CodeBirthDate, false, 0},
	} {
		d := appliance.Document{Kind: appliance.NationalIDFront, Fields: []appliance.Field{
			{Name: "idNumber", Value: "28703051234567", Confidence: 0.9},
			{Name: "dateOfBirth", Value: "1987-03-05", Raw: c.printed},
			{Name: "gender"},
		}}
		if c.field != "" {
			d.Flag(c.field, "", c.code)
		}
		if c.doubt {
			d.Flag("idNumber", "", appliance.CodeLowConfidence)
		}
		if got := numberInconsistent(&d); got != c.want {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
}
