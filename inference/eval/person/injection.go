package person

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/inference/injection"
)

// injectionCase is a triple to be made from stills of living persons' bursts.
type injectionCase struct {
	family injection.Family
	number int
	still  string
	other  string // another moment of the same person; empty where there is none
	scene  string // a frame of another person, "" where there is none
}

// Families are the families that a list names: their names, all, developed or unseen.
func Families(list string) (chosen []injection.Family, err error) {
	for name := range strings.SplitSeq(list, ",") {
		n := len(chosen)
		for _, f := range injection.Families() {
			if name == f.Name || name == "all" || name == "developed" && f.Developed || name == "unseen" && !f.Developed {
				chosen = append(chosen, f)
			}
		}
		if len(chosen) == n {
			return nil, fmt.Errorf("--injection knows no family %q", name)
		}
	}
	return chosen, nil
}

// injectionCases draws as many triples of each family as the command wants, from all living persons alike.
func injectionCases(families []injection.Family, live []burst, n int, seed uint64) (cases []injectionCase) {
	r := rand.New(rand.NewPCG(seed, 7))
	persons := map[string][]burst{}
	var names []string
	for _, b := range live {
		p := personOf(b.files[0])
		if persons[p] == nil {
			names = append(names, p)
		}
		persons[p] = append(persons[p], b)
	}
	slices.Sort(names)
	for _, family := range families {
		for i := range n {
			at := i % len(names)
			own := persons[names[at]]
			b := own[r.IntN(len(own))]
			c := injectionCase{family: family, number: i, still: b.files[0], other: b.files[1+r.IntN(2)]}
			if r.IntN(2) == 0 {
				c.other = own[r.IntN(len(own))].files[r.IntN(3)]
			}
			if len(names) > 1 && r.IntN(2) == 0 {
				others := persons[names[(at+1+r.IntN(len(names)-1))%len(names)]]
				c.scene = others[r.IntN(len(others))].files[0]
			}
			cases = append(cases, c)
		}
	}
	return cases
}

// runInjection makes triples of injected media and counts how many are judged live.
func (v *Liveness) runInjection(ctx context.Context) error {
	live, err := v.living()
	if err != nil {
		return err
	}
	return report(ctx, &v.Call, injectionCases(v.Families, live, v.Cases, v.Seed), v.judgeInjection)
}

// judgeInjection makes one triple and judges it.
func (v *Liveness) judgeInjection(ctx context.Context, e *engine.Engine, c injectionCase) (o judged) {
	o.burst = burst{
		kind:  c.family.Name,
		files: [appliance.BurstFrames]string{fmt.Sprintf("%s %d of %s", c.family.Name, c.number, c.still)},
	}
	files, err := c.make(ctx, e, v.Seed)
	if err != nil {
		o.err = err
		return o
	}
	if v.Keep != "" {
		if o.err = keepTriple(filepath.Join(v.Keep, c.family.Name, fmt.Sprintf("%04d", c.number)), files); o.err != nil {
			return o
		}
	}
	return v.judgeFiles(ctx, e, o, files)
}

// make forges the triple of a case.
func (c injectionCase) make(ctx context.Context, e *engine.Engine, seed uint64) (files [injection.Frames][]byte, err error) {
	still, err := stillOf(ctx, e, c.still)
	if err != nil {
		return files, err
	}
	s := injection.Source{Still: *still}
	if c.other != "" {
		if s.Other, err = stillOf(ctx, e, c.other); err != nil {
			return files, err
		}
	}
	if c.scene != "" {
		raw, err := engine.ReadPicture(nil, c.scene, int64(e.Decoder.MaxBytes))
		if err != nil {
			return files, err
		}
		if s.Scene, _, err = image.Decode(bytes.NewReader(raw)); err != nil {
			return files, fmt.Errorf("%s: %w", filepath.Base(c.scene), err)
		}
	}
	name := 0
	for _, b := range []byte(c.family.Name) {
		name = 31*name + int(b)
	}
	return c.family.Make(rand.New(rand.NewPCG(seed, uint64(name)<<20+uint64(c.number))), s)
}

// stillOf reads a picture and finds its largest face.
func stillOf(ctx context.Context, e *engine.Engine, name string) (*injection.Still, error) {
	raw, err := engine.ReadPicture(nil, name, int64(e.Decoder.MaxBytes))
	if err != nil {
		return nil, err
	}
	m, _, err := image.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(name), err)
	}
	p, err := e.Decoder.Decode(ctx, raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(name), err)
	}
	found, err := e.Faces.Finder.FindFaces(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(name), err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: no face was found to make frames from", filepath.Base(name))
	}
	return &injection.Still{Image: m, Landmarks: found[0].Landmarks}, nil
}

// keepTriple writes the frames into a folder.
func keepTriple(dir string, files [injection.Frames][]byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("keep triple: %w", err)
	}
	for i, raw := range files {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.jpg", i+1)), raw, 0o644); err != nil {
			return fmt.Errorf("keep triple: %w", err)
		}
	}
	return nil
}
