// Package learn fits what is data in the appliance to the documents of one site, as people there confirmed them: how sure each field is
// and when it is flagged, which fields its documents lack, how their labels are worded, which values and words they hold, and the
// thresholds of match, liveness and signs of fraud where there is something to set them by. It is fitted on the half fit of a truth set
// and told on the half test; what is not better there is not written. Nothing in it tells of a person: what is printed needs five who
// have it.
package learn

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/truth"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/inference/eval/document"
	"github.com/bawab/bawab/inference/eval/score"
	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/inference/site"
	"github.com/bawab/bawab/models"
)

// Learning is one call.
type Learning struct {
	Dir     string // the truth set
	Program string // the version of the program, which the kept readings are of
	// WrongSilent and BPCER are the budgets: shares of values wrong without a flag, and of genuine presentations refused.
	WrongSilent, BPCER float64
	// Fewest is how many documents each half must have, 0 for fewestDocuments.
	Fewest int
	Errs   io.Writer
	// Set is the model set in use; Open opens it, and others.
	Set  *models.Set
	Open func(context.Context, *models.Set) (*engine.Engine, error)

	described map[appliance.Kind]*form.Description // the kinds that the set brings
}

// Result is what was learned, and what it did.
type Result struct {
	Site site.File
	// Described is what is added to the descriptions of kinds that the set brings.
	Described     Described
	Moved         []string
	Before, After Outcomes
	// Said is what a person should know: who was left out, what was not taken, what more is needed.
	Said  []string
	Needs []string
	// Better tells that it is worth writing, Why why not.
	Better bool
	Why    string

	thresholds []moved
}

// told is a result that holds so far what the other one does.
func (r *Result) told() *Result {
	return &Result{Site: r.Site, Described: r.Described}
}

// Outcomes are how the values of the half test were read.
type Outcomes struct {
	N                             int
	Exact, Flagged, Wrong, Silent score.Share
	// Omitted counts values that are printed, were not read and not flagged: they mislead as silently as wrong ones.
	Omitted score.Share
	// LogLoss is how far the confidences of values are from what these turned out to be: the mean of the negative natural logarithm of the
	// probability that they gave to it, 0 where all were sure and right.
	LogLoss float64
	Fields  map[string]Outcome
}

// Outcome is how one field was read.
type Outcome struct{ Right, Flagged, Silent score.Share }

// fewestDocuments is how many documents each half of a set must have.
const fewestDocuments = 40

func refused(msg, hint string) error {
	return &appliance.Error{Code: appliance.CodeBadRequest, Op: "learn", Msg: msg, Hint: hint}
}

// Run learns. It can be stopped at any time: what was read is kept and not read again.
func (l *Learning) Run(ctx context.Context) (r Result, err error) {
	set, err := truth.Open(l.Dir)
	if err != nil {
		return r, err
	}
	least := fewestDocuments
	if l.Fewest > 0 {
		least = l.Fewest
	}
	for _, half := range truth.Halves() {
		if n := len(set.Lines[half]); n < least {
			return r, refused(fmt.Sprintf("the half %s has %d documents, and %d are the least", half, n, least),
				fmt.Sprintf("review %d documents more, of other days and persons, and export again", least-n))
		}
	}
	if err := l.describe(); err != nil {
		return r, err
	}
	if len(l.kindsOf(set)) == 0 {
		return r, refused("no kind of document that the model set knows is in both halves",
			"review documents of the same kinds on other days and export again, or install the pack that brings the kind")
	}
	if others := slices.DeleteFunc(slices.Clone(set.Manifest.Releases), func(v string) bool { return v == l.Program }); len(others) > 0 {
		r.Said = append(r.Said, "confirmed from readings of "+strings.Join(others, ", ")+": all pictures are read again by this release")
	}
	weights, left, conflict := trusted(set)
	r.Said = append(r.Said, leftWords(left)...)
	if conflict {
		return r, refused("the two who reviewed differ too much in what they confirm", "let a third person decide about the same documents")
	}
	if len(reviewers(set.Lines["fit"], nil)) < 2 {
		r.Said = append(r.Said, "one person alone confirmed the half fit: nothing here says whether with care")
	}
	if err := l.learn(ctx, set, weights, &r); err != nil {
		return r, err
	}
	r.judge(l.WrongSilent)
	return r, nil
}

// learn fits on the half fit and measures on the half test.
func (l *Learning) learn(ctx context.Context, set *truth.Set, weights map[string]float64, r *Result) error {
	version := fmt.Sprintf("%d", l.Set.Version())
	plain, err := l.readings(ctx, set, "fit", version+"-plain", l.Set.WithoutSite()) // what was learned before is learned anew
	if err != nil {
		return err
	}
	before, err := l.readings(ctx, set, "test", version, l.Set)
	if err != nil {
		return err
	}
	kinds := l.kindsOf(set)
	kept := usable(set, weights, kinds)
	r.Site = site.File{Form: site.Form, Origin: l.origin(set, kept, kinds), Doubts: []site.Doubt{}}
	labels, wordings, err := l.labelsOf(ctx, kept)
	if err != nil {
		return err
	}
	fitted := plain
	terms, words := termsOf(kept), wordsOf(kept)
	whole, single := l.oftenOf(kept)
	for _, step := range []part{
		{"wordings of labels", len(labels), func(t *Result, i, k int) { t.Site.Labels = slices.Concat(t.Site.Labels, labels[i:k]) }},
		{"wordings of described labels", len(wordings), func(t *Result, i, k int) {
			t.Described.Labels = slices.Concat(t.Described.Labels, wordings[i:k])
		}},
		{"values", len(terms), func(t *Result, i, k int) { t.Site.Terms = slices.Concat(t.Site.Terms, terms[i:k]) }},
		{"values of described fields", len(whole), func(t *Result, i, k int) {
			t.Described.Values = slices.Concat(t.Described.Values, whole[i:k])
		}},
		{"words of described fields", len(single), func(t *Result, i, k int) {
			t.Described.Values = slices.Concat(t.Described.Values, single[i:k])
		}},
		{"words", len(words), func(t *Result, i, k int) { t.Site.Words = slices.Concat(t.Site.Words, words[i:k]) }},
	} {
		if fitted, err = l.try(ctx, set, version, fitted, step, r); err != nil {
			return err
		}
	}
	misread, err := l.misreadOf(ctx, kept, r)
	if err != nil {
		return err
	}
	letters := part{"misread letters", len(misread), func(t *Result, i, k int) {
		t.Site.Misread = slices.Concat(t.Site.Misread, misread[i:k])
	}}
	if fitted, err = l.try(ctx, set, version, fitted, letters, r); err != nil {
		return err
	}
	r.Site.Doubts = doubtsOf(examplesOf(fitted, weights), l.WrongSilent)
	moves, needs, err := l.thresholds(ctx, slices.Concat(plain, before))
	if err != nil {
		return err
	}
	matches, more, err := l.matching(ctx)
	if err != nil {
		return err
	}
	r.thresholds, r.Needs = append(moves, matches...), append(needs, more...)
	for _, m := range r.thresholds {
		r.Moved = append(r.Moved, fmt.Sprintf("%s (%s): %.4g, before %.4g", m.name, m.model, m.to, m.from))
	}
	learned, err := l.set(r)
	if err != nil {
		return err
	}
	after, err := l.readings(ctx, set, "test", nameOf(version, r), learned)
	if err != nil {
		return err
	}
	r.Before, r.After = outcomesOf(before), outcomesOf(after)
	return nil
}

// part is something that the site's documents print, and how n of it from one to another are put into what is learned.
type part struct {
	name string
	n    int
	add  func(told *Result, from, to int)
}

// mostAlone is of how many each is tried alone where all together do not help: every trial reads the half fit.
const mostAlone = 8

// try keeps a part where the half fit is read no worse with it; where it is, those of few that are no worse alone.
func (l *Learning) try(
	ctx context.Context, set *truth.Set, version string, without []document.Reading, p part, r *Result,
) ([]document.Reading, error) {
	if p.n == 0 {
		return without, nil
	}
	with, helps, err := l.with(ctx, set, version, without, r, func(t *Result) { p.add(t, 0, p.n) })
	if helps || err != nil {
		return with, err
	}
	left := p.n
	for i := 0; i < p.n && 1 < p.n && p.n <= mostAlone; i++ {
		with, helps, err := l.with(ctx, set, version, without, r, func(t *Result) { p.add(t, i, i+1) })
		if err != nil {
			return nil, err
		}
		if helps {
			without = with
			left--
		}
	}
	r.Said = append(r.Said, fmt.Sprintf("%d of the site's %d %s do not help and are left out", left, p.n, p.name))
	return without, nil
}

// with reads the half fit once more with something added to what is learned, which stays there where it helps.
func (l *Learning) with(
	ctx context.Context, set *truth.Set, version string, without []document.Reading, r *Result, add func(*Result),
) (with []document.Reading, helps bool, err error) {
	told := r.told()
	add(told)
	learned, err := l.set(told)
	if err != nil {
		return nil, false, err
	}
	if with, err = l.readings(ctx, set, "fit", nameOf(version, told), learned); err != nil {
		return nil, false, err
	}
	was, is := outcomesOf(without), outcomesOf(with)
	if is.Exact.OK+is.Flagged.OK < was.Exact.OK+was.Flagged.OK || is.Silent.OK > was.Silent.OK || is.Exact.OK < was.Exact.OK {
		return nil, false, nil
	}
	r.Site, r.Described = told.Site, told.Described
	return with, true, nil
}

// nameOf names readings by a set with what was learned on it.
func nameOf(version string, r *Result) string {
	told := *r.told()
	told.Site.Origin = site.Origin{}
	text, err := json.Marshal(struct {
		Site      site.File
		Described Described
	}{told.Site, told.Described})
	if err != nil {
		return version
	}
	return fmt.Sprintf("%s-%x", version, sha256.Sum256(text))[:len(version)+13]
}

// kindsOf are the kinds of documents that both halves hold: of another one nothing would tell what learning does to it.
func (l *Learning) kindsOf(set *truth.Set) (kinds []appliance.Kind) {
	seen := map[string]map[appliance.Kind]bool{}
	for _, half := range truth.Halves() {
		seen[half] = map[appliance.Kind]bool{}
		for _, line := range set.Lines[half] {
			seen[half][line.Documents[0].Kind] = true
		}
	}
	for kind := range seen["fit"] {
		if seen["test"][kind] && (len(kind.Model()) > 0 || l.described[kind] != nil) {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	return kinds
}

// usable are the lines of the half fit that are learned from, and takes the weight away from all others.
func usable(set *truth.Set, weights map[string]float64, kinds []appliance.Kind) (kept []truth.Line) {
	for _, line := range set.Lines["fit"] {
		if !slices.Contains(kinds, line.Documents[0].Kind) {
			delete(weights, line.File)
		} else if weights[line.File] > 0 {
			kept = append(kept, line)
		}
	}
	return kept
}

// origin says where the numbers come from; it names no person.
func (l *Learning) origin(set *truth.Set, kept []truth.Line, kinds []appliance.Kind) site.Origin {
	sum := sha256.New()
	persons := map[string]bool{}
	for _, half := range truth.Halves() {
		for _, line := range set.Lines[half] {
			fmt.Fprintln(sum, half, line.Review, line.Day)
		}
	}
	for _, line := range kept {
		persons[line.Person] = true
	}
	return site.Origin{
		DataSet: fmt.Sprintf("the site's own truth set %x, half fit", sum.Sum(nil)[:6]), N: max(len(kept), 1), Persons: len(persons),
		Date: time.Now().Format(time.DateOnly), Base: l.Set.Version(), Kinds: kinds,
		Budget: fmt.Sprintf("%.3g %% of values wrong without a flag", 100*l.WrongSilent),
	}
}

// readings reads a half by a set, but for what was read before.
func (l *Learning) readings(ctx context.Context, set *truth.Set, half, by string, networks *models.Set) ([]document.Reading, error) {
	cache := set.Cache(half, by)
	done := l.kept(cache)
	f, err := os.OpenFile(cache, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, refused("the readings cannot be kept beside the truth set: "+err.Error(), "check "+l.Dir)
	}
	ctx, stop := context.WithCancelCause(ctx) // a full disk ends it at once, and not after all pictures
	defer stop(nil)
	var mu sync.Mutex
	v := document.Documents{Call: l.call(filepath.Join(l.Dir, half), half, networks)}
	fresh, err := v.Readings(ctx, func(file string) bool { _, ok := done[file]; return ok }, func(r document.Reading) {
		mu.Lock()
		defer mu.Unlock()
		line, err := json.Marshal(keptReading{l.Program, r})
		if err == nil {
			_, err = f.Write(append(line, '\n'))
		}
		if err != nil {
			stop(err)
		}
	})
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	if errors.Is(err, syscall.ENOSPC) {
		err = refused("the readings cannot be kept beside the truth set: its disk is full",
			"make room on the disk of "+l.Dir+" and call it again: it goes on where it was")
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("read the half %s: %w", half, err)
	}
	for _, r := range fresh {
		done[r.File] = r
	}
	var all []document.Reading
	for _, line := range set.Lines[half] {
		if r, ok := done[line.File]; ok {
			r.Person = line.Person
			all = append(all, r)
		}
	}
	return all, nil
}

// keptReading is a line of the file of readings.
type keptReading struct {
	Program string `json:"program"`
	document.Reading
}

// kept are the readings that this release made before. A line that a power cut left half is no reading.
func (l *Learning) kept(name string) map[string]document.Reading {
	done := map[string]document.Reading{}
	text, err := os.ReadFile(name)
	if err != nil {
		return done
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var k keptReading
		if json.Unmarshal(lines.Bytes(), &k) == nil && k.Program == l.Program && k.File != "" {
			done[k.File] = k.Reading
		}
	}
	return done
}

// progress says how far a step is, on one line of a terminal in 20.
func (l *Learning) progress(what string, done, of int) {
	if l.Errs != nil && (done == of || done%20 == 0) {
		fmt.Fprintf(l.Errs, "%s: %d of %d read\n", what, done, of)
	}
}

// outcomesOf sums up how values were read.
func outcomesOf(readings []document.Reading) Outcomes {
	o := Outcomes{Fields: map[string]Outcome{}}
	values := 0
	for i := range readings {
		for _, f := range readings[i].Fields {
			if f.Covered {
				continue
			}
			o.N++
			if !f.Empty {
				values++
				o.LogLoss += lossOf(f)
			}
			doubted, omitted := f.Doubted(), f.Empty && !f.Blank && !f.Doubted()
			o.Exact.Add(f.Right && !doubted)
			o.Flagged.Add(f.Right && doubted)
			o.Silent.Add(f.Silent())
			o.Omitted.Add(omitted)
			o.Wrong.Add(!f.Right && !f.Silent())
			name := string(readings[i].Kind) + " " + f.Field
			of := o.Fields[name]
			of.Right.Add(f.Right)
			of.Flagged.Add(f.Right && doubted)
			of.Silent.Add(f.Silent() || omitted)
			o.Fields[name] = of
		}
	}
	o.LogLoss /= float64(max(values, 1))
	return o
}

// lossOf is how far the confidence of a value is from what it turned out to be.
func lossOf(f document.FieldReading) float64 {
	const most = 1e-4 // of a sure error, as in the logit that rules rest on
	p := f.Confidence
	if !f.Right {
		p = 1 - p
	}
	return -math.Log(max(p, most))
}

// judge decides whether what was learned is better on the half test: no more values that mislead than before, or so few that they are
// within the budget as far as the half can tell, fewer right ones that are flagged or fewer that mislead, and no field worse by more than
// its interval.
func (r *Result) judge(budget float64) {
	mislead := func(o Outcomes) (s score.Share) { s.Count(o.Silent.OK+o.Omitted.OK, o.N); return s }
	was, is := mislead(r.Before), mislead(r.After)
	for _, name := range slices.Sorted(maps.Keys(r.Before.Fields)) {
		before, after := r.Before.Fields[name], r.After.Fields[name]
		if after.Right.Share < before.Right.Low || after.Silent.Share > before.Silent.High {
			r.Why = name + " is worse on the half test"
			return
		}
	}
	switch {
	case is.OK > was.OK && is.Low > budget:
		r.Why = fmt.Sprintf("%d values of the half test mislead, %d before", is.OK, was.OK)
	case is.OK < was.OK, r.After.Flagged.Share < r.Before.Flagged.Low,
		len(r.thresholds) > 0 && is.OK == was.OK && r.After.Flagged.Share <= r.Before.Flagged.Share, r.After.Exact.Share > r.Before.Exact.High:
		r.Better = true
	default:
		r.Why = "it is no better than chance on the half test"
	}
}

// More says how many documents more it takes to show the budget with 95 % certainty.
func (r *Result) More(budget float64) int {
	if r.After.N == 0 {
		return 0
	}
	values := int(math.Ceil(math.Log(0.05) / math.Log1p(-budget)))
	documents := len(r.After.Fields)
	return int(math.Ceil(float64(max(values-r.After.N, 0)) / float64(max(documents, 1))))
}
