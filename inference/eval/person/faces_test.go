package person

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/eval/score"
	"github.com/bawab/bawab/inference/face"
)

// The shares of `bawab eval faces` follow from the pairs: a refused picture makes its pair of one person a miss and its pair of
// two none, and only listed pairs count for the accuracy.
func TestScoreFaces(t *testing.T) {
	scale := face.Scale{Percent: 0.2, PerMille: 0.3, PerTenThousand: 0.4}
	var compared []comparedPair
	add := func(n int, same, crossed, acquired bool, cosine float64) {
		for range n {
			compared = append(compared, comparedPair{facePair{same: same}, crossed, acquired, cosine})
		}
	}
	add(90, true, false, true, 0.8)
	add(6, true, false, true, 0.25)
	add(4, true, false, false, 0)
	add(49, false, false, true, 0.05)
	add(1, false, false, true, 0.5)
	add(960, false, true, true, 0.1)
	add(40, false, true, false, 0)
	outcomes := []acquired{{embedding: appliance.Embedding{1}}, {code: 4207}, {code: 4209}, {err: os.ErrNotExist}}
	s := scoreFaces(outcomes, compared, scale, 0.5)
	for name, got := range map[string][2]score.Share{
		"accuracy": {s.Accuracy, {OK: 139, Of: 150}}, "TAR": {s.TAR, {OK: 90, Of: 100}}, "FMR": {s.FMR, {OK: 1, Of: 1050}},
		"TAR at 1 %": {s.TAR1, {OK: 96, Of: 100}}, "TAR at 0.1 %": {s.TAR01, {OK: 96, Of: 100}}, "acquired": {s.Acquired, {OK: 1, Of: 4}},
	} {
		if got[0].OK != got[1].OK || got[0].Of != got[1].Of {
			t.Errorf("%s: %d of %d, want %d of %d", name, got[0].OK, got[0].Of, got[1].OK, got[1].Of)
		}
	}
	if s.Refused["4207"] != 1 || s.Refused["4209"] != 1 || s.Failed != 1 {
		t.Errorf("refused %v, failed %d", s.Refused, s.Failed)
	}
	var out bytes.Buffer
	s.Print(&out)
	if !strings.Contains(out.String(), "TAR at FMR 0.1 %") {
		t.Error(out.String())
	}
}

// TAR at a rate needs as many pairs of two persons as make one of that rate, and never counts a refused picture.
func TestTARAt(t *testing.T) {
	impostor := make([]float64, 1000)
	impostor[7], impostor[8] = 0.9, 0.7
	for name, c := range map[string]struct {
		genuine, impostor []float64
		rate              float64
		ok, of            int
	}{
		"one may match":   {[]float64{0.95, 0.8, 0.6}, impostor, 0.001, 2, 3},
		"ten may match":   {[]float64{0.95, 0.8, 0.6, 0}, impostor, 0.01, 3, 4},
		"too few":         {[]float64{0.95}, impostor[:500], 0.001, 0, 0},
		"refused on both": {[]float64{missed, 0.5}, slices.Repeat([]float64{missed}, 200), 0.01, 1, 2},
	} {
		if got := tarAt(c.genuine, c.impostor, c.rate); got.OK != c.ok || got.Of != c.of {
			t.Errorf("%s: %d of %d, want %d of %d", name, got.OK, got.Of, c.ok, c.of)
		}
	}
}

// A list of pairs is read with its documents, and one that is none is refused with its line.
func TestReadPairs(t *testing.T) {
	for text, want := range map[string]string{
		"a,b,same\nx.jpg,y.jpg,1\n":                               "",
		"a,b,same,kind\nx.jpg,y.jpg,1,passport\nu.jpg,v.jpg,0,\n": "",
		"a,b,same\n":                  "nothing follows",
		"x.jpg,y.jpg,1\n":             "not a,b,same",
		"a,b,same\nx.jpg,y.jpg,yes\n": "line 2",
		"a,b,same,kind\nx.jpg,y.jpg,1,license_plate\n": "no identity document",
	} {
		v := &Faces{}
		v.Dir = t.TempDir()
		if err := os.WriteFile(filepath.Join(v.Dir, "pairs.csv"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		pairs, err := v.pairs()
		if want == "" && (err != nil || len(pairs) == 0) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %d pairs, %v, want %q", text, len(pairs), err, want)
		}
	}
	v := &Faces{}
	if v.Dir = t.TempDir(); true {
		if _, err := v.pairs(); err == nil {
			t.Error("a folder without a list was read")
		}
	}
}

// With --cross every two pictures of different folders are compared, those of one folder are not; pairs of a file that could
// not be read never are.
func TestCrossPairs(t *testing.T) {
	v := &Faces{Cross: true}
	var outcomes []acquired
	for _, name := range []string{"a/1.jpg", "a/2.jpg", "b/1.jpg", "c/1.jpg"} {
		outcomes = append(outcomes, acquired{faceFile: faceFile{name: name}, embedding: appliance.Embedding{1}})
	}
	outcomes = append(outcomes, acquired{faceFile: faceFile{name: "d/1.jpg"}, err: os.ErrNotExist})
	all := v.compareAll(
		[]facePair{{a: outcomes[4].faceFile, b: outcomes[1].faceFile}, {a: outcomes[0].faceFile, b: outcomes[1].faceFile, same: true}},
		outcomes,
	)
	if len(all) != 6 || all[0].crossed || !all[5].crossed || all[5].cosine != 1 {
		t.Errorf("%d pairs: %v", len(all), all)
	}
}

// TestRatesOfNothing: the report prints a rate of nothing as "-".
func TestRatesOfNothing(t *testing.T) {
	for name, c := range map[string]struct {
		print func(io.Writer)
		want  []string
	}{
		"faces": {scoreFaces(nil, nil, face.Scale{}, 0.5).Print, []string{"AUC -, EER -", "FMR - 0 of 0 -", "0.50 - -"}},
		"pairs of 1": {
			scoreFaces(nil, []comparedPair{{facePair: facePair{same: true}}}, face.Scale{}, 0.5).Print,
			[]string{"AUC -, EER -", "0.50 - 100.00 %"},
		},
	} {
		var out strings.Builder
		c.print(&out)
		for _, want := range c.want {
			if !strings.Contains(strings.Join(strings.Fields(out.String()), " "), want) {
				t.Errorf("%s: the report lacks %q:\n%s", name, want, out.String())
			}
		}
	}
}
