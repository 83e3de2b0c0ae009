package person

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bawab/bawab/inference/eval/score"
)

// pinned reads a report that --compare is given.
func pinned[F any](t *testing.T, name string) (f F) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "models", "figures", name))
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return f
}

// The pinned figures are whole reports of the present form; against themselves nothing is worse, and a fall of each kind of figure is told.
func TestPinnedFigures(t *testing.T) {
	worse := func(compare func(*strings.Builder)) int {
		var b strings.Builder
		compare(&b)
		return strings.Count(b.String(), "worse")
	}
	for _, name := range []string{"lfw_dev.json", "cards.json"} {
		was := pinned[faceScore](t, name)
		if was.Form != formFaces || was.Failed > 0 || was.TAR01.Of == 0 {
			t.Errorf("%s: form %q, %d failed, %d pairs of one person", name, was.Form, was.Failed, was.TAR01.Of)
		}
		now := was
		for _, s := range []*score.Share{&now.Acquired, &now.TAR1, &now.TAR01, &now.Accuracy, &now.TAR} {
			s.Count(s.OK*9/10, s.Of)
		}
		now.FMR.Count(2*was.FMR.OK, was.FMR.Of)
		same := worse(func(b *strings.Builder) { was.Compare(b, was) })
		if fallen := worse(func(b *strings.Builder) { now.Compare(b, was) }); same != 0 || fallen != 6 {
			t.Errorf("%s: %d figures are worse than themselves, %d of 6 that fell", name, same, fallen)
		}
	}
	for _, name := range []string{"nuaa.json", "injection_unseen.json"} {
		was := pinned[LivenessScore](t, name)
		if was.Form != formLiveness || was.Failed > 0 || len(was.Attacks) == 0 {
			t.Errorf("%s: form %q, %d failed, %d attacks", name, was.Form, was.Failed, len(was.Attacks))
		}
		now, fell := was, len(was.Attacks)
		if now.Attacks = maps.Clone(was.Attacks); was.BPCER.Of > 0 {
			now.BPCER.Count(was.BPCER.Of/5, was.BPCER.Of)
			fell++
		}
		for kind, a := range now.Attacks {
			a.APCER.Count(a.APCER.Of, a.APCER.Of)
			now.Attacks[kind] = a
		}
		same := worse(func(b *strings.Builder) { was.Compare(b, was) })
		if fallen := worse(func(b *strings.Builder) { now.Compare(b, was) }); same != 0 || fallen != fell {
			t.Errorf("%s: %d figures are worse than themselves, %d of %d that fell", name, same, fallen, fell)
		}
	}
}
