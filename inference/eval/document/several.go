package document

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/inference/eval/score"
	"github.com/bawab/bawab/inference/vision"
)

// severalRead is what became of a photograph of several documents.
type severalRead struct {
	file     string
	shown    int // documents in the truth
	found    int // of them, with their kind, read or named among the others
	spurious int // results that are none of them
	mixed    []string
	stages   []appliance.Stage
	err      error
}

// severalScore is the report on the pictures of several documents; their documents also count by kind.
type severalScore struct {
	Pictures   int         `json:"pictures"`
	AllFound   score.Share `json:"all_found"`
	TwoOrThree score.Share `json:"all_found_of_two_or_three"`
	Found      score.Share `json:"documents_found"`
	Spurious   int         `json:"spurious"`
	// Mixed counts the values that are those of another document of the picture.
	Mixed  int          `json:"mixed"`
	Stages []stageScore `json:"stages,omitempty"`
}

// sameDocument is the least overlap, intersection over union, at which a result is the document of a truth.
const sameDocument = 0.5

// examineSeveral reads a photograph of several documents as EndpointMulti would, and returns what became of each of its
// documents as if it had a picture of its own.
func (v *Documents) examineSeveral(ctx context.Context, e *engine.Engine, p photograph) ([]read, *severalRead) {
	readers := e.Readers()
	whole := &severalRead{file: p.File, shown: len(p.Documents)}
	all := make([]read, len(p.Documents))
	for i, d := range p.Documents {
		all[i].photograph = photograph{File: p.File, Documents: []documentTruth{d}, Case: p.Case}
		endpoint, ok := appliance.EndpointOf(d.Kind)
		all[i].readable = ok && readers[endpoint] != nil
	}
	began := time.Now()
	decoded, err := v.Decode(ctx, e, p.File)
	whole.stages = append(whole.stages, appliance.Stage{Name: "decode", Elapsed: time.Since(began)})
	var reading appliance.Reading
	if err == nil {
		reading, err = readers[appliance.EndpointMulti].Read(ctx, decoded, nil)
		whole.stages = append(whole.stages, reading.Stages...)
	}
	if err != nil && appliance.CodeOf(err) != appliance.CodeNoDocument {
		whole.err = err
		for i := range all {
			all[i].err = err
		}
		return all, whole
	}
	whole.match(all, reading)
	return all, whole
}

// match gives each document of the truth the result that lies where it does.
func (w *severalRead) match(all []read, reading appliance.Reading) {
	taken := make([]bool, len(all))
	find := func(q appliance.Quad) int {
		best, most := -1, sameDocument
		for i := range all {
			if share := intersectionOverUnion(q, all[i].Documents[0].Quad.quad()); !taken[i] && share > most {
				best, most = i, share
			}
		}
		return best
	}
	for _, d := range reading.Documents {
		i := find(d.Quad)
		if i < 0 {
			w.spurious++
			continue
		}
		taken[i] = true
		all[i].found, all[i].document = true, d
		if all[i].kindRight() {
			w.found++
		}
		w.mixed = append(w.mixed, mixedValues(all, i)...)
	}
	for _, o := range reading.Others {
		if i := find(o.Quad); i >= 0 && o.Kind == all[i].Documents[0].Kind {
			taken[i] = true
			w.found++
		}
	}
}

// tellingLength is the least number of characters of a value that two documents hardly share by chance.
const tellingLength = 6

// mixedValues lists the fields of the i-th document in which the true value of another one stands.
func mixedValues(all []read, i int) (mixed []string) {
	own := all[i].Documents[0].Fields
	for _, f := range all[i].document.Fields {
		for j := range all {
			for name, value := range all[j].Documents[0].Fields {
				if j == i || utf8.RuneCountInString(value) < tellingLength || !strings.Contains(f.Value, value) {
					continue
				}
				native := false
				for _, v := range own {
					native = native || strings.Contains(v, value)
				}
				if !native {
					mixed = append(
						mixed,
						fmt.Sprintf(
							"%s %s is %q, which is %s of the %s",
							all[i].document.Kind,
							f.Name,
							f.Value,
							name,
							all[j].Documents[0].Kind,
						),
					)
				}
			}
		}
	}
	return mixed
}

// intersectionOverUnion of two convex quads that run clockwise as seen in the picture.
func intersectionOverUnion(q, truth appliance.Quad) float64 {
	shared := truth[:]
	for i, a := range q {
		b := q[(i+1)%4]
		shared = vision.Clip(shared, func(p appliance.Point) float64 { return (b.X-a.X)*(p.Y-a.Y) - (b.Y-a.Y)*(p.X-a.X) })
	}
	both := math.Abs(vision.Area(shared))
	return both / max(math.Abs(vision.Area(q[:]))+math.Abs(vision.Area(truth[:]))-both, 1e-9)
}

// scoreSeveral counts the pictures of several documents; nil without any.
func scoreSeveral(outcomes []*severalRead) *severalScore {
	if len(outcomes) == 0 {
		return nil
	}
	s := &severalScore{Pictures: len(outcomes)}
	var stages []*read
	for _, o := range outcomes {
		s.AllFound.Add(o.found == o.shown)
		if o.shown <= 3 {
			s.TwoOrThree.Add(o.found == o.shown)
		}
		s.Found.Count(o.found, o.shown)
		s.Spurious += o.spurious
		s.Mixed += len(o.mixed)
		stages = append(stages, &read{stages: o.stages})
	}
	s.Stages = scoreStages(stages)
	return s
}

func (s *severalScore) print(w io.Writer) {
	if s == nil {
		return
	}
	fmt.Fprintf(w, "\nseveral documents\t%s\n", words.Count(s.Pictures, "picture", "pictures"))
	fmt.Fprintf(w, "  all found, of two or three\t%v\n", s.TwoOrThree)
	fmt.Fprintf(w, "  all found\t%v\n", s.AllFound)
	fmt.Fprintf(w, "  documents found\t%v\n", s.Found)
	fmt.Fprintf(w, "  results that are none\t%d\n  values of another document\t%d\n", s.Spurious, s.Mixed)
	printStages(w, s.Stages)
}

func (s *severalScore) compare(w io.Writer, old *severalScore) {
	if s == nil || old == nil {
		return
	}
	score.CompareShares(w, "all found, of two or three", s.TwoOrThree, old.TwoOrThree)
	score.CompareShares(w, "documents found", s.Found, old.Found)
	fmt.Fprintf(w, "values of another document\t%+d\n", s.Mixed-old.Mixed)
}

// printSeveral lists the photographs of several documents in which not all is as it should be.
func printSeveral(w io.Writer, outcomes []*severalRead) {
	for _, o := range outcomes {
		var lines []string
		if o.err != nil {
			lines = append(lines, "failed: "+o.err.Error())
		}
		if o.found < o.shown || o.spurious > 0 {
			lines = append(lines, fmt.Sprintf("%d of %d found, %d results are none", o.found, o.shown, o.spurious))
		}
		for _, m := range o.mixed {
			lines = append(lines, "MIXED "+m)
		}
		if len(lines) > 0 {
			fmt.Fprintf(w, "\n%s: %s\n", o.file, strings.Join(lines, "\n  "))
		}
	}
}
