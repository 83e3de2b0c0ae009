package learn

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/inference/eval"
	"github.com/bawab/bawab/inference/eval/document"
	"github.com/bawab/bawab/inference/eval/person"
	"github.com/bawab/bawab/inference/eval/score"
	"github.com/bawab/bawab/models"
)

// fewestAttacks is how many attacks of a kind a threshold of its own takes, in both halves together.
const fewestAttacks = 60

// shown is one presentation: how strongly an attack was seen in it.
type shown struct {
	subject string
	score   float64
	attack  bool
}

// moved is a threshold that moves.
type moved struct {
	model, name string
	from, to    float64
	n           int
	budget      string
}

// threshold looks for a better one for scores of attacks, to a budget of genuine presentations that may be refused. It is set on one half
// of the subjects and moves only where the other half shows that it is better. need says what is missing.
func threshold(all []shown, now, budget float64) (at float64, need string) {
	var genuine, attacks [2][]float64
	for _, s := range all {
		half := foldOf(s.subject) % 2
		if s.attack {
			attacks[half] = append(attacks[half], s.score)
		} else {
			genuine[half] = append(genuine[half], s.score)
		}
	}
	n, m := len(genuine[0])+len(genuine[1]), len(attacks[0])+len(attacks[1])
	if want := int(math.Ceil(6 / budget)); n < want || m < fewestAttacks ||
		min(len(genuine[0]), len(genuine[1]), len(attacks[0]), len(attacks[1])) == 0 {
		return now, fmt.Sprintf("%d genuine and %d attacks more", max(want-n, 0), max(fewestAttacks-m, 0))
	}
	slices.Sort(genuine[0])
	at = genuine[0][min(int(math.Ceil(float64(len(genuine[0]))*(1-budget))), len(genuine[0])-1)] + 1e-4
	at = min(max(rounded(at), 0.01), 0.999)
	errors := func(t float64) (refused, passed score.Share) {
		for _, s := range genuine[1] {
			refused.Add(s >= t)
		}
		for _, s := range attacks[1] {
			passed.Add(s < t)
		}
		return refused, passed
	}
	refused, passed := errors(at)
	oldRefused, oldPassed := errors(now)
	fewer := refused.Low <= max(budget, oldRefused.Share) && passed.Share < oldPassed.Low
	kinder := refused.Share < oldRefused.Low && passed.Share <= oldPassed.Share
	if !fewer && !kinder {
		return now, ""
	}
	return at, ""
}

// bursts are the presentations of the folder beside the halves; none where there is no such folder.
func (l *Learning) bursts(ctx context.Context) (all []shown, err error) {
	dir, ok := l.beside("liveness")
	if !ok {
		return nil, nil
	}
	judged, err := (&person.Liveness{Call: l.call(dir, "liveness", l.Set)}).Presentations(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range judged {
		if !p.Failed {
			all = append(all, shown{p.Subject, p.Attack, p.Kind != ""})
		}
	}
	return all, nil
}

// thresholds measures the folders beside the halves, and says which thresholds move and what the others need.
func (l *Learning) thresholds(ctx context.Context, genuine []document.Reading) (list []moved, needs []string, err error) {
	budget := fmt.Sprintf("%.2g %% of genuine presentations refused", 100*l.BPCER)
	consider := func(model, name string, all []shown, share float64) error {
		m, err := l.Set.Model(model)
		if err != nil {
			return nil //nolint:nilerr // a set without this network has no such threshold
		}
		now, ok := m.Threshold(name)
		if !ok {
			return nil
		}
		at, need := threshold(all, now, share)
		if need != "" {
			needs = append(needs, fmt.Sprintf("%s (%s): %s", name, model, need))
		} else if at != now {
			list = append(list, moved{model, name, now, at, len(all), budget})
		}
		return nil
	}
	bursts, err := l.bursts(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := consider(engine.ModelLiveness, "attack", bursts, l.BPCER); err != nil {
		return nil, nil, err
	}
	cues, err := l.cues(ctx, genuine)
	if err != nil {
		return nil, nil, err
	}
	m, err := l.Set.Model("fraud")
	if err != nil {
		return list, needs, nil //nolint:nilerr // as above
	}
	for name := range m.Thresholds {
		if err := consider("fraud", name, cues[name], l.BPCER/float64(len(m.Thresholds))); err != nil {
			return nil, nil, err
		}
	}
	slices.Sort(needs)
	return list, needs, nil
}

// cues sorts the scores of genuine documents and of forged ones by cue.
func (l *Learning) cues(ctx context.Context, genuine []document.Reading) (map[string][]shown, error) {
	all := map[string][]shown{}
	for i := range genuine {
		for _, c := range genuine[i].Cues {
			if c.NotJudged == "" {
				all[c.Name] = append(all[c.Name], shown{genuine[i].Person, c.Score, false})
			}
		}
	}
	dir, ok := l.beside("fraud")
	if !ok {
		return all, nil
	}
	presentations, err := (&document.Cues{Call: l.call(dir, "fraud", l.Set)}).Presentations(ctx)
	if err != nil {
		return nil, err
	}
	for i := range presentations {
		p := &presentations[i]
		kind, _, _ := strings.Cut(p.Attack, "/")
		for _, c := range p.Cues {
			if !p.Failed && c.NotJudged == "" && (kind == "" || kind == c.Name) {
				all[c.Name] = append(all[c.Name], shown{p.Person, c.Score, kind != ""})
			}
		}
	}
	return all, nil
}

// matching sets the thresholds of match to the rates that they are called by, where there are pairs enough.
func (l *Learning) matching(ctx context.Context) (list []moved, needs []string, err error) {
	var pairs person.Pairs
	if dir, ok := l.beside("faces"); ok {
		if pairs, err = (&person.Faces{Call: l.call(dir, "faces", l.Set), Cross: true}).Pairs(ctx); err != nil {
			return nil, nil, err
		}
	}
	m, err := l.Set.Model(engine.ModelEmbedder)
	if err != nil {
		return nil, nil, nil //nolint:nilerr // a set without this network has no such threshold
	}
	var halves [2][]float64
	for i, c := range pairs.Impostor {
		half := foldOf(pairs.Of[i]) % 2
		halves[half] = append(halves[half], c)
	}
	slices.Sort(halves[0])
	before := 1.0
	for _, rate := range []float64{0.0001, 0.001, 0.01} { // from the highest threshold down: they must fall
		name := fmt.Sprintf("fmr_%g", 100*rate)
		now, ok := m.Threshold(name)
		if !ok {
			continue
		}
		want := int(10 / rate)
		if n := min(len(halves[0]), len(halves[1])); n < want {
			needs = append(needs, fmt.Sprintf("%s (%s): %d pairs of two persons more", name, engine.ModelEmbedder, 2*(want-n)))
			before = min(before, now)
			continue
		}
		at := rounded(halves[0][int(float64(len(halves[0]))*(1-rate))] + 1e-4)
		var passed, old score.Share
		for _, c := range halves[1] {
			passed.Add(c >= at)
			old.Add(c >= now)
		}
		if off := math.Abs(math.Log(max(passed.Share, 1e-9) / rate)); off < math.Abs(math.Log(max(old.Share, 1e-9)/rate)) && at < before {
			list = append(
				list,
				moved{engine.ModelEmbedder, name, now, at, len(pairs.Impostor), fmt.Sprintf("%g %% of pairs of different people match", 100*rate)},
			)
			now = at
		}
		before = min(before, now)
	}
	return list, needs, nil
}

// beside is a folder beside the halves.
func (l *Learning) beside(name string) (dir string, ok bool) {
	dir = filepath.Join(l.Dir, name)
	info, err := os.Stat(dir)
	return dir, err == nil && info.IsDir()
}

// call is a measurement of a folder with a model set.
func (l *Learning) call(dir, what string, set *models.Set) eval.Call {
	return eval.Call{
		Dir: dir, Errs: l.Errs, Progress: func(done, of int) { l.progress(what, done, of) },
		Open: func(ctx context.Context) (*engine.Engine, error) { return l.Open(ctx, set) },
	}
}
