package reading

import (
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/form"
)

// Property: a card that shows a religion or a marital status does not say that it is a licence, whatever labels it has in common with one:
// only national IDs print these. Without such a word its labels tell.
func TestOnlyIDsShowAReligion(t *testing.T) {
	kinds := describedKinds(t)
	labels := []string{"number", "job", "licence_type", "issued", "expires"}
	for print, want := range map[string]bool{"فلاح": true, "مسيحي": false, "مسلمة": false, "متزوج": false, "أرملة": false} {
		kind, named := kinds.told([]form.Survey{{Said: labels, Print: []string{"٢٠/٠٢/٢٠٢٧", print}}}, appliance.Unknown)
		if kind != appliance.DrivingLicense || named != want {
			t.Errorf("%s: %s, named %v, want %v", print, kind, named, want)
		}
	}
}
