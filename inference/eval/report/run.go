package report

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/truth"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/inference/eval"
	"github.com/bawab/bawab/inference/eval/document"
	"github.com/bawab/bawab/inference/eval/person"
)

// Measurement is one call. Call.Dir is the set: one that `bawab truth export` made, or any folder that `bawab eval documents` reads.
type Measurement struct {
	eval.Call
	Half    string // of a truth set: one of truth.Halves
	Program string // the version of the program
	Rate    float64
	// Engine opens the engine that is measured.
	Engine func(context.Context) (*engine.Engine, error)
}

// The folders beside the documents of a set.
const (
	facesDir    = "faces"
	livenessDir = "liveness"
	fraudDir    = "fraud"
)

// Run measures all that the set has something for.
func (m *Measurement) Run(ctx context.Context) (f Figures, err error) {
	e, err := m.Engine(ctx)
	if err != nil {
		return f, err
	}
	f = Figures{Form: Form, Made: time.Now().Truncate(time.Second), Program: m.Program, Machine: thisMachine(), Models: modelsOf(e)}
	limit, err := cosineAt(e, m.Rate)
	f.Speed.Workers = e.Workers
	brought := e.Kinds()
	if err = errors.Join(err, e.Close()); err != nil {
		return f, err
	}
	dir, err := m.describe(&f.Set)
	if err != nil {
		return f, err
	}
	readings, whole, err := m.documents(ctx, dir)
	if err != nil {
		return f, err
	}
	persons := map[string]bool{}
	for i := range readings {
		if persons[readings[i].Person] = true; readings[i].Failed != "" {
			f.Set.Failed++
		}
	}
	delete(persons, "")
	f.Set.Documents, f.Set.Persons = len(readings), len(persons)
	f.Kinds = kindsOf(readings, brought)
	f.Reliability, f.CalibrationError = reliabilityOf(readings)
	f.Speed = speedOf(readings, f.Speed.Workers, whole)
	if err := m.trials(ctx, &f, readings, limit); err != nil {
		return f, err
	}
	f.Drift, err = driftOf(&f)
	return f, err
}

// part is a call on a folder below the set.
func (m *Measurement) part(dir, what string) eval.Call {
	c := m.Call
	c.Dir, c.Open = dir, m.Engine
	c.Progress = func(done, of int) {
		if m.Progress == nil && m.Errs != nil && (done == of || done%25 == 0) {
			fmt.Fprintf(m.Errs, "%s: %d of %d\n", what, done, of)
		}
	}
	return c
}

func (m *Measurement) documents(ctx context.Context, dir string) ([]document.Reading, time.Duration, error) {
	v := document.Documents{Call: m.part(dir, "documents")}
	began := time.Now()
	readings, err := v.Readings(ctx, nil, nil)
	return readings, time.Since(began), err
}

// trials measures faces, liveness and fraud.
func (m *Measurement) trials(ctx context.Context, f *Figures, readings []document.Reading, limit float64) error {
	if dir, ok := m.has(facesDir); ok {
		pairs, err := (&person.Faces{Call: m.part(dir, "faces")}).Pairs(ctx)
		if err != nil {
			return err
		}
		f.Match = matchOf(pairs, limit)
	}
	if dir, ok := m.has(livenessDir); ok {
		bursts, err := (&person.Liveness{Call: m.part(dir, "liveness")}).Presentations(ctx)
		if err != nil {
			return err
		}
		f.Liveness = livenessOf(bursts)
	}
	var forged []document.Presentation
	if dir, ok := m.has(fraudDir); ok {
		var err error
		if forged, err = (&document.Cues{Call: m.part(dir, "fraud")}).Presentations(ctx); err != nil {
			return err
		}
	}
	f.Fraud = fraudOf(readings, forged)
	return nil
}

func (m *Measurement) has(name string) (dir string, ok bool) {
	dir = filepath.Join(m.Dir, name)
	info, err := os.Stat(dir)
	return dir, err == nil && info.IsDir()
}

// describe says what the set is, and which folder holds its documents.
func (m *Measurement) describe(s *Set) (dir string, err error) {
	whole, err := filepath.Abs(m.Dir)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", m.Dir, err)
	}
	s.Name, dir = filepath.Base(whole), whole
	if _, err := os.Stat(filepath.Join(whole, "truth.json")); err == nil {
		set, err := truth.Open(whole)
		if err != nil {
			return "", err
		}
		if len(set.Lines[m.Half]) == 0 {
			return "", &appliance.Error{
				Op: "measure", Msg: "the half " + m.Half + " of the set holds no document",
				Hint: "export again when more days were reviewed, or name the other half with --half",
			}
		}
		stats := set.Stats()
		s.Half, s.Releases, s.Days = m.Half, stats.Releases, stats.Days[m.Half]
		dir = filepath.Join(whole, m.Half)
	}
	s.SHA256, err = digest(dir)
	return dir, err
}

// digest is the SHA-256 over the names and contents of all files of a folder.
func digest(dir string) (string, error) {
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		relative, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		one := sha256.New()
		if _, err := io.Copy(one, f); err != nil {
			return errors.Join(err, f.Close())
		}
		fmt.Fprintf(sum, "%s %x\n", filepath.ToSlash(relative), one.Sum(nil))
		return f.Close()
	})
	if err != nil {
		return "", &appliance.Error{Op: "measure", Msg: "the set cannot be read", Hint: "check " + dir, Err: err}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// modelsOf names the networks of an engine.
func modelsOf(e *engine.Engine) Models {
	m := Models{Version: e.Set.Version()}
	for _, n := range e.Set.List() {
		m.List = append(m.List, Model{n.Name, n.SHA256, n.Provenance})
	}
	return m
}

// cosineAt is the cosine from which faces match at a rate of false matches in per cent; 2, which none reaches, without networks for them.
func cosineAt(e *engine.Engine, rate float64) (float64, error) {
	model, err := e.Set.Model(engine.ModelEmbedder)
	if err != nil || e.Faces.Finder == nil {
		return 2, nil
	}
	scale, err := engine.ScaleOf(model)
	if err != nil {
		return 0, err
	}
	at := slices.Index([]float64{1, 0.1, 0.01}, rate)
	if at < 0 {
		return 0, fmt.Errorf("measure: no threshold for a rate of %g %%", rate)
	}
	return []float64{scale.Percent, scale.PerMille, scale.PerTenThousand}[at], nil
}
