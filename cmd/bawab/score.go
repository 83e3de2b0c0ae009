package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/bawab/bawab/appliance"
)

// share is a count of successes with its share and the 95 % Wilson interval of it.
type share struct {
	OK    int     `json:"ok"`
	Of    int     `json:"of"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// add counts one more case and keeps the figures in step.
func (s *share) add(ok bool) {
	if ok {
		s.count(1, 1)
	} else {
		s.count(0, 1)
	}
}

// count adds a number of cases. Wilson's interval stays sensible at shares near 0 and 1, where these figures lie.
func (s *share) count(ok, of int) {
	s.OK, s.Of = s.OK+ok, s.Of+of
	if s.Of == 0 {
		return
	}
	const z = 1.959964
	n, p := float64(s.Of), float64(s.OK)/float64(s.Of)
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	s.Share, s.Low, s.High = p, max(middle-half, 0), min(middle+half, 1)
}

func (s share) String() string {
	return fmt.Sprintf("%6.2f %%\t%d of %d\t%.2f to %.2f %%", 100*s.Share, s.OK, s.Of, 100*s.Low, 100*s.High)
}

// score is the report of `bawab eval mrz`; its JSON form is stable.
type score struct {
	Form     string `json:"form"`
	Pictures int    `json:"pictures"`
	NotFound int    `json:"not_found"` // answered 3011
	Failed   int    `json:"failed"`    // any other error
	// Exact counts pictures whose lines are all right, before and after the grammar's repair.
	ExactBefore share `json:"exact_before_repair"`
	Exact       share `json:"exact"`
	// Characters counts printed characters that were read right in their place.
	CharactersBefore share            `json:"characters_before_repair"`
	Characters       share            `json:"characters"`
	Fields           map[string]share `json:"fields"`
	// Unflagged counts passport numbers that are wrong and that nothing marks as doubtful.
	Unflagged share `json:"number_wrong_unflagged"`
	// FlaggedRight counts right passport numbers that are marked as doubtful all the same.
	FlaggedRight share `json:"number_right_flagged"`
	// Milliseconds is the median time of decoding and reading one picture.
	Milliseconds float64 `json:"ms_p50"`
}

func scoreOf(outcomes []outcome) score {
	s := score{Form: formEval, Pictures: len(outcomes), Fields: map[string]share{}}
	var times []time.Duration
	for i := range outcomes {
		o := &outcomes[i]
		switch {
		case o.err != nil:
			s.Failed++
		case !o.found:
			s.NotFound++
		}
		s.ExactBefore.add(exact(o.raw, o.MRZ))
		s.Exact.add(exact(o.lines, o.MRZ))
		right, all := characters(o.MRZ, o.raw)
		s.CharactersBefore.count(right, all)
		right, all = characters(o.MRZ, o.lines)
		s.Characters.count(right, all)
		for _, name := range evalFields {
			f := s.Fields[name]
			f.add(o.found && o.document.Field(name).Value == o.Fields[name])
			s.Fields[name] = f
		}
		s.Unflagged.add(unflaggedWrong(o))
		if o.found && o.document.Field("passport_no").Value == o.Fields["passport_no"] {
			s.FlaggedRight.add(flagged(&o.document, "passport_no"))
		}
		times = append(times, o.elapsed)
	}
	slices.Sort(times)
	s.Milliseconds = milliseconds(percentile(times, 50))
	return s
}

func exact(got, want []string) bool { return slices.Equal(got, want) }

// characters counts the characters of want and those of them that got has in the same place: lines have a fixed width,
// so a character in another place means something else.
func characters(want, got []string) (right, all int) {
	for i, w := range want {
		all += len(w)
		for j := range len(w) {
			if i < len(got) && j < len(got[i]) && got[i][j] == w[j] {
				right++
			}
		}
	}
	return right, all
}

func unflaggedWrong(o *outcome) bool {
	got := o.document.Field("passport_no").Value
	return o.found && got != "" && got != o.Fields["passport_no"] && !flagged(&o.document, "passport_no")
}

// flagged tells whether a validation error names the field.
func flagged(d *appliance.Document, field string) bool {
	return slices.ContainsFunc(d.Validations, func(v appliance.Validation) bool { return v.Field == field && len(v.Errors) > 0 })
}

// percentile returns the value below which p percent of the sorted times lie, by the nearest rank; 0 for none.
func percentile(sorted []time.Duration, p int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max((len(sorted)*p+99)/100-1, 0)]
}

func milliseconds(d time.Duration) float64 { return math.Round(float64(d)/1e4) / 100 }

func (s *score) print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "pictures\t%d\n", s.Pictures)
	fmt.Fprintf(w, "no document found (3011)\t%d\n", s.NotFound)
	fmt.Fprintf(w, "failed otherwise\t%d\n", s.Failed)
	fmt.Fprintf(w, "milliseconds, median\t%.1f\n", s.Milliseconds)
	fmt.Fprintf(w, "lines exact before repair\t%v\n", s.ExactBefore)
	fmt.Fprintf(w, "lines exact after repair\t%v\n", s.Exact)
	fmt.Fprintf(w, "characters before repair\t%v\n", s.CharactersBefore)
	fmt.Fprintf(w, "characters after repair\t%v\n", s.Characters)
	for _, name := range evalFields {
		fmt.Fprintf(w, "field %s\t%v\n", name, s.Fields[name])
	}
	fmt.Fprintf(w, "number wrong and unflagged\t%v\n", s.Unflagged)
	fmt.Fprintf(w, "number right but flagged\t%v\n", s.FlaggedRight)
	w.Flush()
}

// compare prints how the shares changed, in percentage points, and which of them fell below the older interval: such a
// fall is hardly chance.
func (s *score) compare(out io.Writer, old score) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\nnew - old\t(old: %d pictures)\n", old.Pictures)
	line := func(name string, is, was share) {
		verdict := ""
		if is.Share < was.Low {
			verdict = "worse"
		}
		fmt.Fprintf(w, "%s\t%+.2f\t(%.2f - %.2f)\t%s\n", name, 100*(is.Share-was.Share), 100*is.Share, 100*was.Share, verdict)
	}
	line("lines exact before repair", s.ExactBefore, old.ExactBefore)
	line("lines exact after repair", s.Exact, old.Exact)
	line("characters after repair", s.Characters, old.Characters)
	for _, name := range evalFields {
		line("field "+name, s.Fields[name], old.Fields[name])
	}
	fmt.Fprintf(w, "number wrong and unflagged\t%+.2f\t(%.2f - %.2f)\n", 100*(s.Unflagged.Share-old.Unflagged.Share), 100*s.Unflagged.Share, 100*old.Unflagged.Share)
	w.Flush()
}
