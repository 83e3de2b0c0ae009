package document

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/inference/eval"
)

// Reading is what became of one picture whose content is known. It holds no value that was read or is true.
type Reading struct {
	File string `json:"file"`
	// Person names the holder as the truth does, "" where it does not.
	Person string `json:"person,omitempty"`
	// Kind is the true kind of the largest document and Answered the one that was told, "" where none was found.
	Kind     appliance.Kind `json:"kind"`
	Answered appliance.Kind `json:"answered,omitempty"`
	// Honest tells that nothing in the answer is wrong without a doubt.
	Honest bool           `json:"honest"`
	Fields []FieldReading `json:"fields,omitempty"`
	Cues   []CueReading   `json:"cues,omitempty"`
	// Elapsed is from the bytes of the picture to the fields, on a machine with all cores busy.
	Elapsed time.Duration `json:"elapsed"`
	// Failed is why the picture could not be read at all, "" where it could.
	Failed string `json:"failed,omitempty"`
}

// FieldReading is how one field was read.
type FieldReading struct {
	Field      string           `json:"field"`
	Right      bool             `json:"right"`
	Empty      bool             `json:"empty,omitempty"`   // nothing was answered
	Seen       bool             `json:"seen,omitempty"`    // something was seen where it stands
	Blank      bool             `json:"blank,omitempty"`   // nothing is printed
	Covered    bool             `json:"covered,omitempty"` // nobody can read it
	Confidence float64          `json:"confidence"`
	Codes      []appliance.Code `json:"codes,omitempty"`
}

// Doubted reports whether a code marks the field as doubtful.
func (f FieldReading) Doubted() bool { return Doubted(f.Codes) }

// Silent reports whether the field misleads: it is wrong and nothing says so.
func (f FieldReading) Silent() bool { return !f.Empty && !f.Doubted() && (f.Covered || !f.Right) }

// CueReading is one cue of fraud.
type CueReading struct {
	Name      string  `json:"name"`
	Score     float64 `json:"score"`
	Threshold float64 `json:"threshold,omitempty"`
	NotJudged string  `json:"not_judged,omitempty"`
}

// Failure implements eval.Outcome.
func (r Reading) Failure() (string, error) {
	if r.Failed == "" {
		return r.File, nil
	}
	return r.File, errors.New(r.Failed)
}

// Readings reads the largest document of each picture of a folder, in the order of its truth. Documents of a kind that the model set does
// not know are left out, and it is said: the pack that brought the kind may be gone. skip names the pictures that are left
// out, and each is given what was read as soon as it is; both may be nil, and each is called by several goroutines at once.
func (v *Documents) Readings(ctx context.Context, skip func(file string) bool, each func(Reading)) ([]Reading, error) {
	kinds, err := v.Kinds(ctx)
	if err != nil {
		return nil, err
	}
	gone := map[appliance.Kind]int{}
	photographs, err := eval.ReadTruth(&v.Call, "documents", func(p *photograph) error {
		if len(p.Documents) > 0 && !known(p.Documents[0].Kind, kinds) {
			gone[p.Documents[0].Kind]++
			p.Documents = []documentTruth{}
		}
		return p.complete(kinds)
	})
	if err != nil {
		return nil, err
	}
	for _, kind := range slices.Sorted(maps.Keys(gone)) {
		if v.Errs != nil {
			fmt.Fprintf(v.Errs, "left out: %s of the kind %s, which the model set does not know\n",
				words.Count(gone[kind], "document", "documents"), kind)
		}
	}
	photographs = slices.DeleteFunc(photographs, func(p photograph) bool {
		return len(p.Documents) == 0 || skip != nil && skip(p.File)
	})
	return eval.ExamineAll(ctx, &v.Call, photographs, func(ctx context.Context, e *engine.Engine, p photograph) Reading {
		p.Documents = p.Documents[:1]
		r := v.reading(ctx, e, p)
		if each != nil && ctx.Err() == nil {
			each(r)
		}
		return r
	})
}

// known reports whether a kind is one of the contract's, or one that the model set brings.
func known(kind appliance.Kind, brought []appliance.KindModel) bool {
	return kind == appliance.Unknown || kind.Model() != nil ||
		slices.ContainsFunc(brought, func(k appliance.KindModel) bool { return k.Kind == kind })
}

// reading reads one picture.
func (v *Documents) reading(ctx context.Context, e *engine.Engine, p photograph) Reading {
	began := time.Now()
	o := v.examine(ctx, e, p)
	r := Reading{File: p.File, Person: p.Person, Kind: p.Documents[0].Kind, Honest: o.honest(), Elapsed: time.Since(began)}
	if o.err != nil {
		r.Failed = o.err.Error()
	}
	if o.found {
		r.Answered = o.document.Kind
	}
	for _, f := range o.results() {
		r.Fields = append(r.Fields, FieldReading{
			Field: f.name, Right: f.exact(), Empty: f.value == "", Seen: o.document.Field(f.name).Raw != "", Blank: f.truth == "",
			Covered:    f.covered,
			Confidence: f.confidence, Codes: f.codes,
		})
	}
	for _, c := range o.document.Cues {
		r.Cues = append(r.Cues, CueReading{c.Name, c.Score, c.Threshold, c.NotJudged})
	}
	return r
}
