package report

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/bawab/bawab/inference/eval/score"
	"github.com/bawab/bawab/models"
)

// Drift compares what was measured with what the release itself was measured at.
type Drift struct {
	// Of names the set of the release's figures of documents, "" where the release has none.
	Of   string `json:"of,omitempty"`
	Rows []Row  `json:"rows"`
}

// Row is one figure here and at the release.
type Row struct {
	// Group is a kind of document, or "match" or "liveness"; What is a field or a rate.
	Group   string      `json:"group"`
	What    string      `json:"what"`
	Here    score.Share `json:"here"`
	Release score.Share `json:"release"`
	// Moved is -1 where it is worse here and 1 where it is better, by more than chance would have it once in a hundred; else 0.
	Moved int `json:"moved"`
}

// moved reports whether two shares differ by more than chance would have it once in a hundred.
func moved(here, release score.Share) int {
	if here.Of == 0 || release.Of == 0 {
		return 0
	}
	n, m := float64(here.Of), float64(release.Of)
	pool := float64(here.OK+release.OK) / (n + m)
	spread := math.Sqrt(pool * (1 - pool) * (1/n + 1/m))
	const onceInHundred = 2.576
	switch z := (here.Share - release.Share) / max(spread, 1e-12); {
	case z > onceInHundred:
		return 1
	case z < -onceInHundred:
		return -1
	}
	return 0
}

// driftOf compares figures with those of the release.
func driftOf(f *Figures) (d Drift, err error) {
	var release Figures
	if err := released("documents.json", &release); err != nil {
		return d, err
	}
	d.Of = release.Set.Name
	for _, was := range release.Kinds {
		for _, is := range f.Kinds {
			if is.Kind == was.Kind {
				d.addKind(is, was)
			}
		}
	}
	var faces struct {
		TAR score.Share `json:"tar"`
		FMR score.Share `json:"fmr"`
	}
	var bursts struct {
		BPCER score.Share `json:"bpcer"`
	}
	if f.Match != nil {
		if err := released("lfw_dev.json", &faces); err != nil {
			return d, err
		}
		d.add("match", "accepted", score.Accepted(f.Match.Refused), faces.TAR)
		d.add("match", "told_apart", score.Accepted(f.Match.Passed[everyone]), score.Accepted(faces.FMR))
	}
	if f.Liveness != nil {
		if err := released("nuaa.json", &bursts); err != nil {
			return d, err
		}
		d.add("liveness", "accepted", score.Accepted(f.Liveness.Refused), score.Accepted(bursts.BPCER))
	}
	return d, nil
}

// addKind compares a kind and its fields.
func (d *Drift) addKind(is, was Kind) {
	d.add(string(is.Kind), "kind", is.Right, was.Right)
	for _, field := range is.Fields {
		for _, old := range was.Fields {
			if old.Field == field.Field {
				d.add(string(is.Kind), field.Field, right(field), right(old))
			}
		}
	}
}

// right is how many values of a field are right, with a doubt or without.
func right(f Field) (s score.Share) {
	s.Count(f.Exact.OK+f.Flagged.OK, f.N)
	return s
}

func (d *Drift) add(group, what string, here, release score.Share) {
	if here.Of > 0 && release.Of > 0 {
		d.Rows = append(d.Rows, Row{group, what, here, release, moved(here, release)})
	}
}

// released reads figures of the release.
func released(name string, into any) error {
	text, err := models.Figures(name)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return fmt.Errorf("read the figures of the release: %w", err)
	}
	return nil
}
