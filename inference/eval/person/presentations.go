package person

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bawab/bawab/inference/eval"
	"github.com/bawab/bawab/inference/face"
)

// Pairs are what became of the pairs of a folder, by their cosines; a picture that a match would refuse gives missed.
type Pairs struct {
	Genuine, Impostor []float64
	// Of names the folder of the first picture of each pair of two persons.
	Of []string
	// Pictures were presented, Acquired of them taken, Failed could not be read; Subjects are the folders that they lie in.
	Pictures, Acquired, Failed, Subjects int
}

// Refused is the cosine of a pair of which a picture was refused: below all others.
const Refused = -1

// Pairs compares the pairs of a folder.
func (v *Faces) Pairs(ctx context.Context) (out Pairs, err error) {
	pairs, err := v.pairs()
	if err != nil {
		return out, err
	}
	files := filesOf(pairs)
	outcomes, err := eval.ExamineAll(ctx, &v.Call, files, v.acquire)
	if err != nil {
		return out, err
	}
	subjects := map[string]bool{}
	for i := range outcomes {
		o := &outcomes[i]
		subjects[path.Dir(o.name)] = true
		out.Pictures++
		switch {
		case o.err != nil:
			out.Failed++
		case o.embedding != nil:
			out.Acquired++
		}
	}
	out.Subjects = len(subjects)
	for _, c := range v.compareAll(pairs, outcomes) {
		cosine := float64(Refused)
		if c.acquired {
			cosine = max(c.cosine, Refused)
		}
		if c.same {
			out.Genuine = append(out.Genuine, cosine)
		} else {
			out.Impostor, out.Of = append(out.Impostor, cosine), append(out.Of, path.Dir(c.a.name))
		}
	}
	return out, nil
}

// Presentation is what became of one burst.
type Presentation struct {
	// Kind is the kind of attack, "" for a living person; Subject is whom the folder names, up to the first hyphen.
	Kind, Subject string
	// Attack is the score of the network for attacks, between 0 and 1, and Live the verdict with all rules.
	Attack  float64
	Live    bool
	Elapsed time.Duration
	Failed  bool
}

// Presentations judges the bursts of a folder.
func (v *Liveness) Presentations(ctx context.Context) (all []Presentation, err error) {
	v.Every = max(v.Every, 1)
	bursts, err := v.bursts()
	if err != nil {
		return nil, err
	}
	outcomes, err := eval.ExamineAll(ctx, &v.Call, bursts, v.judge)
	if err != nil {
		return nil, err
	}
	for i := range outcomes {
		o := &outcomes[i]
		p := Presentation{Kind: o.kind, Live: o.live(), Elapsed: o.elapsed, Failed: o.err != nil}
		p.Subject, _, _ = strings.Cut(filepath.Base(filepath.Dir(o.files[0])), "-")
		if p.Kind == liveKind {
			p.Kind = ""
		}
		for _, c := range o.findings.Cues {
			if c.Name == face.CueAttack {
				p.Attack = c.Score
			}
		}
		all = append(all, p)
	}
	return all, nil
}

// filesOf lists the pictures of pairs, each once.
func filesOf(pairs []facePair) (files []faceFile) {
	for _, p := range pairs {
		files = append(files, p.a, p.b)
	}
	slices.SortFunc(files, func(a, b faceFile) int {
		return slices.Compare([]string{a.name, string(a.kind)}, []string{b.name, string(b.kind)})
	})
	return slices.Compact(files)
}
