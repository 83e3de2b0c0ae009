package mrz

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Clear ink of a right document is read as it is: nothing repaired, nothing doubted.
func TestDecodeClearSpecimens(t *testing.T) {
	for _, s := range specimens() {
		r := Decode(ink(s.format, s.lines), noon)
		checkShape(t, r)
		if diff := cmp.Diff(s.lines, r.Lines); diff != "" {
			t.Errorf("%v: %s", s.format, diff)
		}
		if r.Format != s.format || len(r.Repairs) != 0 || !r.ChecksOK() {
			t.Errorf("%v: format %v, repairs %v, checks %v", s.format, r.Format, r.Repairs, r.Checks)
		}
		for i, f := range r.fields() {
			t.Logf("%v field %d %q confidence %.6f %s", s.format, i, f.Value, f.Confidence, f.Reason)
			if f.Doubtful() {
				t.Errorf("%v: field %q is doubtful: %.4f %s", s.format, f.Value, f.Confidence, f.Reason)
			}
		}
	}
}
