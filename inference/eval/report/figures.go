package report

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/eval/document"
	"github.com/bawab/bawab/inference/eval/score"
)

// Form is the form of the figures; another layout gets another name.
const Form = "bawab-eval-report/1"

// Figures are what a page shows.
type Figures struct {
	Form    string    `json:"form"`
	Made    time.Time `json:"made"`
	Program string    `json:"program"`
	Machine Machine   `json:"machine"`
	Set     Set       `json:"set"`
	Models  Models    `json:"models"`
	Kinds   []Kind    `json:"kinds"`
	// Reliability is how often a field of some confidence is right, over all kinds; CalibrationError the mean distance of both.
	Reliability      []Bin   `json:"reliability"`
	CalibrationError float64 `json:"calibration_error"`
	Speed            Speed   `json:"speed"`
	// Match, Liveness and Fraud are nil where the set has nothing to measure them by.
	Match    *Trial `json:"match,omitempty"`
	Liveness *Trial `json:"liveness,omitempty"`
	Fraud    *Trial `json:"fraud,omitempty"`
	Drift    Drift  `json:"drift"`
}

// Machine is what the measurement ran on.
type Machine struct {
	Name      string `json:"name"`
	System    string `json:"system"`
	Processor string `json:"processor"`
	Cores     int    `json:"cores"`
	Memory    int64  `json:"memory_bytes"`
}

// Set is what was measured on.
type Set struct {
	Name   string `json:"name"`
	Half   string `json:"half,omitempty"` // "" for a folder without halves
	SHA256 string `json:"sha256"`         // of its truth and of all its pictures
	// Releases are those whose readings people confirmed, Days how many days the pictures are of; both may be unknown.
	Releases  []string `json:"releases,omitempty"`
	Days      int      `json:"days,omitempty"`
	Documents int      `json:"documents"`
	Persons   int      `json:"persons,omitempty"`
	Failed    int      `json:"failed"`
}

// Models are the networks that were measured.
type Models struct {
	Version uint64  `json:"version"`
	List    []Model `json:"list"`
}

// Model is one network.
type Model struct {
	Name       string `json:"name"`
	SHA256     string `json:"sha256"`
	Provenance string `json:"provenance,omitempty"`
}

// Kind is how the documents of one kind were read.
type Kind struct {
	Kind appliance.Kind `json:"kind"`
	N    int            `json:"n"`
	// Right is how many were found and told as this kind, Honest how many answers had no value that is wrong without a doubt.
	Right  score.Share `json:"kind_right"`
	Honest score.Share `json:"honest"`
	Fields []Field     `json:"fields"`
}

// Field is how a field was read; the four shares add up to one.
type Field struct {
	Field string `json:"field"`
	N     int    `json:"n"`
	// Exact is right without a doubt, Flagged right with one, Wrong wrong with one or empty, Silent wrong without any.
	Exact   score.Share `json:"exact"`
	Flagged score.Share `json:"right_flagged"`
	Wrong   score.Share `json:"wrong_flagged"`
	Silent  score.Share `json:"wrong_silent"`
}

func (f *Field) add(r document.FieldReading) {
	right := r.Right && !r.Covered
	doubted := r.Doubted()
	f.N++
	f.Exact.Add(right && !doubted)
	f.Flagged.Add(right && doubted)
	f.Silent.Add(r.Silent())
	f.Wrong.Add(!right && !r.Silent())
}

// Bin is the fields with a confidence from From on.
type Bin struct {
	From       float64     `json:"from"`
	Confidence float64     `json:"mean_confidence"`
	Right      score.Share `json:"right"`
}

// Speed is how long documents took. Times are from bytes to fields with all workers busy.
type Speed struct {
	Workers int     `json:"workers"`
	P50     float64 `json:"ms_p50"`
	P95     float64 `json:"ms_p95"`
	P99     float64 `json:"ms_p99"`
	// PerMinute is how many documents a minute were read by all workers together.
	PerMinute float64   `json:"per_minute"`
	Times     []float64 `json:"ms"` // sorted
}

// kindsOf sorts readings by kind and field, in the order of the contract; the kinds that a model set brings come behind.
func kindsOf(readings []document.Reading, brought []appliance.KindModel) (kinds []Kind) {
	var models []appliance.KindModel
	for _, endpoint := range appliance.DocumentEndpoints() {
		models = append(models, appliance.KindModel{Kind: endpoint.Kind(), Fields: endpoint.Kind().Model()})
	}
	for _, m := range append(models, brought...) {
		k := kindOf(m, readings)
		if k.N > 0 && !slices.ContainsFunc(kinds, func(o Kind) bool { return o.Kind == k.Kind }) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// kindOf gathers the readings of one kind; of the unknown kind there are none.
func kindOf(m appliance.KindModel, readings []document.Reading) Kind {
	k := Kind{Kind: m.Kind}
	fields := map[string]*Field{}
	for i := range readings {
		r := &readings[i]
		if r.Kind != m.Kind || m.Kind == appliance.Unknown {
			continue
		}
		k.N++
		k.Right.Add(r.Answered == r.Kind)
		k.Honest.Add(r.Honest)
		for _, f := range r.Fields {
			if fields[f.Field] == nil {
				fields[f.Field] = &Field{Field: f.Field}
			}
			fields[f.Field].add(f)
		}
	}
	for _, spec := range m.Fields {
		if f := fields[spec.Name]; f != nil {
			k.Fields = append(k.Fields, *f)
		}
	}
	return k
}

// edges are where the bins of confidence begin: narrow where most values lie.
var edges = []float64{0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999}

// reliabilityOf sorts what was read by its confidence.
func reliabilityOf(readings []document.Reading) (bins []Bin, off float64) {
	for _, from := range edges {
		bins = append(bins, Bin{From: from})
	}
	all := 0
	for i := range readings {
		for _, f := range readings[i].Fields {
			if f.Empty || f.Covered {
				continue
			}
			at := len(edges) - 1
			for at > 0 && f.Confidence < edges[at] {
				at--
			}
			bins[at].Confidence += f.Confidence
			bins[at].Right.Add(f.Right)
			all++
		}
	}
	for i := range bins {
		if b := &bins[i]; b.Right.Of > 0 {
			b.Confidence /= float64(b.Right.Of)
			off += float64(b.Right.Of) / float64(all) * math.Abs(b.Confidence-b.Right.Share)
		}
	}
	return bins, off
}

// speedOf sums up how long documents took; whole is how long all of them took together.
func speedOf(readings []document.Reading, workers int, whole time.Duration) Speed {
	s := Speed{Workers: workers}
	for i := range readings {
		if readings[i].Failed == "" {
			s.Times = append(s.Times, score.Milliseconds(readings[i].Elapsed))
		}
	}
	slices.SortFunc(s.Times, cmp.Compare)
	s.P50, s.P95, s.P99 = score.Percentile(s.Times, 50), score.Percentile(s.Times, 95), score.Percentile(s.Times, 99)
	if whole > 0 {
		s.PerMinute = score.Rounded(float64(len(s.Times)) / whole.Minutes())
	}
	return s
}
