package document

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/inference/edit"
	"github.com/bawab/bawab/inference/eval/score"
)

// formDocuments is the form of the figures that are printed as JSON.
const formDocuments = "bawab-eval-documents/1"

// noDocument is the kind of pictures without a document in the report.
const noDocument = "none"

// DocumentScore is the report of `bawab eval documents`; its JSON form is stable.
type DocumentScore struct {
	Form     string `json:"form"`
	Pictures int    `json:"pictures"`
	Failed   int    `json:"failed"` // any error but 3011
	// KindRight counts pictures whose largest document got its kind and side, and those without one that got 3011.
	KindRight score.Share          `json:"kind_right"`
	Kinds     map[string]kindScore `json:"kinds"`
	// Several is about the pictures of several documents, each of which counts as a picture of its own above.
	Several *severalScore `json:"several,omitempty"`
	// Reliability is how often a national number of some confidence is right, over all kinds.
	Reliability []reliabilityBin `json:"number_reliability"`
	// CalibrationError is the mean distance between confidence and share of right numbers over the bins.
	CalibrationError float64 `json:"number_calibration_error"`
}

// kindScore is the report on the pictures of one kind.
type kindScore struct {
	Pictures  int                   `json:"pictures"`
	NotFound  int                   `json:"not_found"` // answered 3011
	KindRight score.Share           `json:"kind_right"`
	Honest    score.Share           `json:"honest"` // nothing in the answer is wrong and unflagged
	Fields    map[string]fieldScore `json:"fields,omitempty"`
	Number    *numberScore          `json:"number,omitempty"`
	// Corners is the greatest distance of a corner from the truth as a share of the document's diagonal: median and 95 %.
	Corners [2]float64   `json:"corner_error_p50_p95"`
	Stages  []stageScore `json:"stages,omitempty"`

	outlines int // documents whose corners could be compared
}

// fieldScore counts the photographs in which a field can be read; Covered those in which it cannot.
type fieldScore struct {
	Exact score.Share `json:"exact"`
	// Alike counts the values that differ from the truth at most in what people write either way: a kind of alef, ye or he, marks.
	Alike score.Share `json:"alike"`
	// CharacterErrors is the edit distance of all values over the characters of all truths.
	CharacterErrors float64     `json:"character_error_rate"`
	Empty           score.Share `json:"empty"`   // of those that are printed
	Flagged         score.Share `json:"flagged"` // carry a code of doubt
	Silent          score.Share `json:"wrong_unflagged"`
	Covered         score.Share `json:"covered_empty_or_flagged"`

	edits, characters int
}

// numberScore sorts the national numbers; the five counts add up to all that can be read.
type numberScore struct {
	Right        score.Share `json:"right"` // unflagged
	RightFlagged score.Share `json:"right_flagged"`
	WrongFlagged score.Share `json:"wrong_flagged"`
	Empty        score.Share `json:"empty"`
	Silent       score.Share `json:"wrong_unflagged"` // also those that are covered and answered unflagged all the same
	// Bound is the one-sided 95 % Clopper-Pearson bound of Silent.
	Bound float64 `json:"wrong_unflagged_bound"`
}

// stageScore is the cost of one stage for each picture.
type stageScore struct {
	Name string  `json:"name"`
	Mean float64 `json:"ms_mean"`
	P95  float64 `json:"ms_p95"`
	Runs float64 `json:"runs_mean"` // inferences
	MACs float64 `json:"macs_mean"`
}

// reliabilityBin counts the numbers with a confidence from From to below the next bin's.
type reliabilityBin struct {
	From       float64     `json:"from"`
	Confidence float64     `json:"mean_confidence"`
	Right      score.Share `json:"right"`
}

// numberField is the field that the number's own figures are about; the front and the back of an ID have it.
const numberField = "idNumber"

func scoreDocuments(outcomes []read) DocumentScore {
	s := DocumentScore{Form: formDocuments, Pictures: len(outcomes), Kinds: map[string]kindScore{}}
	byKind := map[string][]*read{}
	var numbers []result
	for i := range outcomes {
		o := &outcomes[i]
		if o.err != nil {
			s.Failed++
		}
		s.KindRight.Add(o.kindRight())
		byKind[o.group()] = append(byKind[o.group()], o)
		for _, r := range o.results() {
			if r.name == numberField && !r.covered && r.value != "" {
				numbers = append(numbers, r)
			}
		}
	}
	for kind, list := range byKind {
		s.Kinds[kind] = scoreKind(list)
	}
	s.Reliability, s.CalibrationError = reliability(numbers)
	return s
}

func scoreKind(list []*read) kindScore {
	k := kindScore{Pictures: len(list)}
	var corners []float64
	for _, o := range list {
		if o.err == nil && !o.found {
			k.NotFound++
		}
		k.KindRight.Add(o.kindRight())
		k.Honest.Add(o.honest())
		if distance, ok := o.cornerError(); ok {
			corners = append(corners, distance)
		}
		for _, r := range o.results() {
			if k.Fields == nil {
				k.Fields = map[string]fieldScore{}
			}
			f := k.Fields[r.name]
			f.add(r)
			k.Fields[r.name] = f
			if r.name == numberField {
				if k.Number == nil {
					k.Number = &numberScore{}
				}
				k.Number.add(r)
			}
		}
	}
	if k.Number != nil {
		k.Number.Bound = score.UpperBound(k.Number.Silent.OK, k.Number.Silent.Of, 0.05)
	}
	slices.Sort(corners)
	k.outlines = len(corners)
	k.Corners = [2]float64{score.Percentile(corners, 50), score.Percentile(corners, 95)}
	k.Stages = scoreStages(list)
	return k
}

func (f *fieldScore) add(r result) {
	f.Silent.Add(r.silent())
	if r.covered {
		f.Covered.Add(!r.failed && !r.silent())
		return
	}
	f.Exact.Add(r.exact())
	f.Alike.Add(r.alike())
	f.Flagged.Add(Doubted(r.codes))
	if r.truth != "" {
		f.Empty.Add(r.value == "")
	}
	f.edits += edit.Distance([]rune(r.value), []rune(r.truth))
	f.characters += len([]rune(r.truth))
	f.CharacterErrors = float64(f.edits) / float64(max(f.characters, 1))
}

func (n *numberScore) add(r result) {
	n.Silent.Add(r.silent())
	if r.covered {
		return
	}
	n.Right.Add(r.exact() && !Doubted(r.codes))
	n.RightFlagged.Add(r.exact() && Doubted(r.codes))
	n.Empty.Add(r.value == "" && r.truth != "")
	n.WrongFlagged.Add(!r.exact() && r.value != "" && Doubted(r.codes))
}

// cornerError is the greatest distance between a corner and its truth over the true diagonal. Corners are compared in
// their order, so a document that is turned round is far off.
func (o *read) cornerError() (distance float64, ok bool) {
	if len(o.Documents) == 0 || !o.found || !o.kindRight() || o.document.Quad == (appliance.Quad{}) {
		return 0, false
	}
	q := o.Documents[0].Quad
	diagonal := math.Hypot(q[2][0]-q[0][0], q[2][1]-q[0][1])
	for i, p := range o.document.Quad {
		distance = max(distance, math.Hypot(p.X-q[i][0], p.Y-q[i][1])/diagonal)
	}
	return distance, diagonal > 0
}

// scoreStages sums up what each stage cost, in the order in which stages first come.
func scoreStages(list []*read) []stageScore {
	var all []stageScore
	times := map[string][]time.Duration{}
	for _, o := range list {
		for _, s := range o.stages {
			if times[s.Name] == nil {
				all = append(all, stageScore{Name: s.Name})
			}
			times[s.Name] = append(times[s.Name], s.Elapsed)
			i := slices.IndexFunc(all, func(x stageScore) bool { return x.Name == s.Name })
			all[i].Runs += float64(s.Runs)
			all[i].MACs += float64(s.MACs)
		}
	}
	for i := range all {
		s, t := &all[i], times[all[i].Name]
		n := float64(len(t))
		var sum time.Duration
		for _, d := range t {
			sum += d
		}
		slices.Sort(t)
		s.Mean, s.P95 = score.Milliseconds(sum/time.Duration(len(t))), score.Milliseconds(score.Percentile(t, 95))
		s.Runs, s.MACs = score.Rounded(s.Runs/n), math.Round(s.MACs/n)
	}
	return all
}

// reliability sorts numbers into bins of confidence, narrow where most of them lie.
func reliability(numbers []result) (bins []reliabilityBin, calibrationError float64) {
	for _, from := range []float64{0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999} {
		bins = append(bins, reliabilityBin{From: from})
	}
	for _, r := range numbers {
		i := len(bins) - 1
		for i > 0 && r.confidence < bins[i].From {
			i--
		}
		bins[i].Confidence += r.confidence
		bins[i].Right.Add(r.exact())
	}
	for i := range bins {
		b := &bins[i]
		if b.Right.Of > 0 {
			b.Confidence /= float64(b.Right.Of)
			calibrationError += float64(b.Right.Of) / float64(len(numbers)) * math.Abs(b.Confidence-b.Right.Share)
		}
	}
	return bins, calibrationError
}

// Print implements eval.Figures.
func (s DocumentScore) Print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "pictures\t%d\nfailed\t%d\nkind and side right\t%v\n", s.Pictures, s.Failed, s.KindRight)
	for _, kind := range slices.Sorted(maps.Keys(s.Kinds)) {
		k := s.Kinds[kind]
		fmt.Fprintf(w, "\n%s\t%s, %d answered 3011\n", kind, words.Count(k.Pictures, "picture", "pictures"), k.NotFound)
		fmt.Fprintf(w, "  kind right\t%v\n", k.KindRight)
		fmt.Fprintf(w, "  honest answers\t%v\n", k.Honest)
		fmt.Fprintf(
			w,
			"  corners off by\t%s of the diagonal (median), %s (95 %%)\n",
			score.Percent(k.Corners[0], k.outlines),
			score.Percent(k.Corners[1], k.outlines),
		)
		k.printFields(w)
		k.Number.print(w)
		printStages(w, k.Stages)
	}
	s.Several.print(w)
	if slices.ContainsFunc(s.Reliability, func(b reliabilityBin) bool { return b.Right.Of > 0 }) {
		fmt.Fprintf(w, "\nnumbers by confidence\tmean\tright\t\t95 %% interval\n")
		for _, b := range s.Reliability {
			if b.Right.Of > 0 {
				fmt.Fprintf(w, "  from %.3f\t%.4f\t%v\n", b.From, b.Confidence, b.Right)
			}
		}
		fmt.Fprintf(w, "calibration error\t%.4f\n", s.CalibrationError)
	}
	w.Flush()
}

func printStages(w io.Writer, stages []stageScore) {
	for _, g := range stages {
		fmt.Fprintf(w, "  stage %s\t%.1f ms mean\t%.1f ms (95 %%)\t%.2f runs\t%.1f MMAC\n", g.Name, g.Mean, g.P95, g.Runs, g.MACs/1e6)
	}
}

// printFields prints the fields in the order of the model.
func (k kindScore) printFields(w io.Writer) {
	if len(k.Fields) == 0 {
		return
	}
	fmt.Fprintf(w, "  field\texact\t\t95 %% interval\talike\tCER\tempty\tflagged\twrong, unflagged\tcovered, honest\n")
	for _, name := range fieldNames(k.Fields) {
		f := k.Fields[name]
		fmt.Fprintf(
			w,
			"  %s\t%v\t%s\t%s\t%s\t%s\t%d of %d\t%d of %d\n",
			name,
			f.Exact,
			score.Percent(f.Alike.Share, f.Alike.Of),
			score.Percent(f.CharacterErrors, f.characters+f.edits),
			score.Percent(
				f.Empty.Share,
				f.Empty.Of,
			),
			score.Percent(f.Flagged.Share, f.Flagged.Of),
			f.Silent.OK,
			f.Silent.Of,
			f.Covered.OK,
			f.Covered.Of,
		)
	}
}

// fieldNames lists fields in the order of the contract; those of kinds that a model set brings come behind, by their names.
func fieldNames(fields map[string]fieldScore) []string {
	var names []string
	for _, e := range appliance.DocumentEndpoints() {
		for _, spec := range e.Kind().Model() {
			if _, ok := fields[spec.Name]; ok && !slices.Contains(names, spec.Name) {
				names = append(names, spec.Name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (n *numberScore) print(w io.Writer) {
	if n == nil {
		return
	}
	fmt.Fprintf(w, "  number right, unflagged\t%v\n", n.Right)
	fmt.Fprintf(w, "  number right, flagged\t%v\n", n.RightFlagged)
	fmt.Fprintf(w, "  number wrong, flagged\t%v\n", n.WrongFlagged)
	fmt.Fprintf(w, "  number empty\t%v\n", n.Empty)
	fmt.Fprintf(w, "  number wrong, unflagged\t%v\t%s\n", n.Silent, score.BoundWords(n.Bound))
}

// Compare prints how the figures changed, in percentage points, and which of them fell below the older interval: such a
// fall is hardly chance.
func (s DocumentScore) Compare(out io.Writer, old DocumentScore) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\nnew - old\t(old: %s)\n", words.Count(old.Pictures, "picture", "pictures"))
	score.CompareShares(w, "kind and side right", s.KindRight, old.KindRight)
	s.Several.compare(w, old.Several)
	for _, kind := range slices.Sorted(maps.Keys(s.Kinds)) {
		was, ok := old.Kinds[kind]
		if !ok {
			continue
		}
		is := s.Kinds[kind]
		score.CompareShares(w, kind+" kind right", is.KindRight, was.KindRight)
		score.CompareShares(w, kind+" honest answers", is.Honest, was.Honest)
		for _, name := range fieldNames(is.Fields) {
			score.CompareShares(w, kind+" "+name, is.Fields[name].Exact, was.Fields[name].Exact)
		}
		if is.Number != nil && was.Number != nil {
			score.CompareShares(w, kind+" number right, unflagged", is.Number.Right, was.Number.Right)
			fmt.Fprintf(w, "%s number wrong, unflagged\t%+.3f\t(%.3f - %.3f)\n", kind,
				100*(is.Number.Silent.Share-was.Number.Silent.Share), 100*is.Number.Silent.Share, 100*was.Number.Silent.Share)
		}
	}
	w.Flush()
}
