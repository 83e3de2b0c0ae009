package fit

import (
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bawab/bawab/models"
)

// Property: numbers tried together are told apart: a trial counts as moving a page where it alone reads it otherwise, and as the same
// where it does not; every number has neighbours that a calibration may have.
func TestJudging(t *testing.T) {
	b, err := openBench(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer b.networks.Close()
	j := newJudging(b.reads)
	tried := map[int]int{}
	for i := range j.trials {
		tried[j.trials[i].number]++
		if _, err := j.with([]int{i}); err != nil {
			t.Error(err)
		}
	}
	for number, name := range j.names {
		if tried[number] != 2 && j.used[number] != 1 {
			t.Errorf("%s is tried at %d values", name, tried[number])
		}
	}
	few := []string{"words higher", "least rest", "clear", "column gap", "any blank"}
	j.trials = slices.DeleteFunc(j.trials, func(x trial) bool { return !slices.Contains(few, j.names[x.number]) })
	b.most = 2
	alone := make([]int, len(j.trials))
	err = b.lessons(t.Context(), []string{filepath.Join("..", "..", "..", "models", "samples", "licences")}, func(l lesson) error {
		used, err := j.reading(t.Context(), &l)
		if err != nil {
			return err
		}
		for i := range j.trials {
			if r, err := j.reading(t.Context(), &l, i); err != nil {
				return err
			} else if r.said != used.said {
				alone[i]++
			}
		}
		return j.try(t.Context(), &l)
	})
	if err != nil || j.documents != 2 || j.read < 20 || j.right < j.read/2 {
		t.Fatalf("%d of %d values right on %d documents, %v", j.right, j.read, j.documents, err)
	}
	moved := 0
	for i, x := range j.trials {
		moved += x.moved
		if x.moved != alone[i] {
			t.Errorf("%s at %v moves %d pages, alone %d", j.names[x.number], x.value, x.moved, alone[i])
		}
	}
	if moved == 0 {
		t.Error("no number moves anything")
	}
}

// Property: a neighbour takes the place of a number where one half of the documents chooses it and the other half bears it out by more
// than chance, and in no other case. Numbers of older groups stay in these, and each of the others has what its neighbours win and lose.
func TestJudgement(t *testing.T) {
	program := models.NewCalibration(
		models.Group{Name: "old", Values: map[string]float64{"even": 1}},
		models.Group{Name: judgedGroup, Values: map[string]float64{"wide": 2, "high": 3, "near": 4}},
	)
	better, chance, none := count{right: 9, better: 9}, count{right: 1, better: 5, worse: 4}, count{}
	j := &judging{names: []string{"even", "wide", "high", "near"}, used: []float64{1, 2, 3, 4}, read: 50, right: 40, trials: []trial{
		{number: 0, value: 1.5, halves: [2]count{better, better}},
		{number: 1, value: 1, halves: [2]count{better, better}},
		{number: 1, value: 3, halves: [2]count{none, better}},
		{number: 2, value: 2, halves: [2]count{better, chance}},
		{number: 3, value: 3, halves: [2]count{none, better}},
	}}
	var report strings.Builder
	c, err := (&Fit{Report: &report}).judgement(program, j, models.Group{})
	got := c.Values()
	if err != nil || got["even"] != 1.5 || got["wide"] != 1 || got["high"] != 3 || got["near"] != 4 || len(c.Groups) != 2 {
		t.Errorf("chose %v, %v", got, err)
	}
	g, high := c.Groups[1], "2: +10 right, +0 wrong without a flag"
	if g.N != 50 || len(g.Neighbours) != 3 || g.Neighbours["high"] != high || program.Values()["even"] != 1 {
		t.Errorf("%d values, %v", g.N, g.Neighbours)
	}
	for name := range got {
		if !strings.Contains(report.String(), name) {
			t.Errorf("the report does not tell of %q", name)
		}
	}
}

// Property: the judged numbers are tried on folders, and no folder is tried that has no truth.
func TestRunOfJudgedRefuses(t *testing.T) {
	f := Fit{Judged: true, Out: filepath.Join(t.TempDir(), "out.json"), Report: io.Discard}
	if err := f.Run(t.Context(), []string{t.TempDir()}); err == nil {
		t.Error("a folder without a truth was tried")
	}
}
