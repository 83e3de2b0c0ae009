package person

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// Names are ordered with their numbers as numbers, so that frame 10 comes after frame 9.
func TestByNumbers(t *testing.T) {
	want := []string{"a_1_9.jpg", "a_1_10.jpg", "a_2_0.jpg", "a_10_1.jpg", "b", "b1", "b01"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, byNumbers)
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The bursts of a folder are its pictures in threes, by the kind that the first folder names; what is left over is no burst.
func TestBursts(t *testing.T) {
	v := &Liveness{Every: 1}
	v.Dir = t.TempDir()
	for _, name := range []string{
		"live/p/1.jpg", "live/p/2.jpg", "live/p/10.jpg", "live/p/11.jpg", "print/a.png", "print/b.png", "print/c.png", "print/notes.txt",
		"screen/x/1.jpg",
	} {
		if err := os.MkdirAll(filepath.Join(v.Dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(v.Dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := v.bursts()
	if err != nil || len(all) != 2 || all[0].kind != liveKind || all[1].kind != "print" || filepath.Base(all[0].files[2]) != "10.jpg" {
		t.Errorf("%v, %v", all, err)
	}
	v.Dir = t.TempDir()
	if _, err := v.bursts(); err == nil {
		t.Error("an empty folder was taken")
	}
}

// APCER is counted for each kind of attack, BPCER over living persons, and what failed is in neither.
func TestScoreLiveness(t *testing.T) {
	of := func(kind string, reasons ...appliance.Reason) judged {
		return judged{burst: burst{kind: kind}, findings: appliance.BurstFindings{Reasons: reasons}, rules: true}
	}
	s := scoreLiveness([]judged{
		of(liveKind), of(liveKind), of(liveKind, appliance.LowQuality),
		{burst: burst{kind: liveKind}, err: os.ErrInvalid},
		of("print"), of("print", appliance.PresentationAttack), of("screen", appliance.IdenticalImages, appliance.LowQuality),
	})
	if s.BPCER.OK != 1 || s.BPCER.Of != 3 || s.Failed != 1 || s.Bursts != 7 || !s.RulesAlone {
		t.Errorf("%+v", s)
	}
	if p, q := s.Attacks["print"], s.Attacks["screen"]; p.APCER.OK != 1 || p.APCER.Of != 2 || q.APCER.OK != 0 ||
		q.Reasons["low_quality"].OK != 1 {
		t.Errorf("print %+v, screen %+v", p, q)
	}
	var out bytes.Buffer
	s.Print(&out)
	if !strings.Contains(out.String(), "rules alone") || !strings.Contains(out.String(), "presentation_attack") {
		t.Error(out.String())
	}
}
