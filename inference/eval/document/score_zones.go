package document

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/inference/eval/score"
)

// formZones is the form of the figures that are printed as JSON.
const formZones = "bawab-eval-mrz/1"

// zoneScore is the report of `bawab eval mrz`; its JSON form is stable.
type zoneScore struct {
	Form     string `json:"form"`
	Pictures int    `json:"pictures"`
	NotFound int    `json:"not_found"` // answered 3011
	Failed   int    `json:"failed"`    // any other error
	// Exact counts pictures whose lines are all right, before and after the grammar's repair.
	ExactBefore score.Share `json:"exact_before_repair"`
	Exact       score.Share `json:"exact"`
	// Characters counts printed characters that were read right in their place.
	CharactersBefore score.Share            `json:"characters_before_repair"`
	Characters       score.Share            `json:"characters"`
	Fields           map[string]score.Share `json:"fields"`
	// Unflagged counts passport numbers that are wrong and that nothing marks as doubtful.
	Unflagged score.Share `json:"number_wrong_unflagged"`
	// FlaggedRight counts right passport numbers that are marked as doubtful all the same.
	FlaggedRight score.Share `json:"number_right_flagged"`
	// Milliseconds is the median time of decoding and reading one picture.
	Milliseconds float64 `json:"ms_p50"`
}

func scoreOf(outcomes []outcome) zoneScore {
	s := zoneScore{Form: formZones, Pictures: len(outcomes), Fields: map[string]score.Share{}}
	var times []time.Duration
	for i := range outcomes {
		o := &outcomes[i]
		switch {
		case o.err != nil:
			s.Failed++
		case !o.found:
			s.NotFound++
		}
		s.ExactBefore.Add(exact(o.raw, o.MRZ))
		s.Exact.Add(exact(o.lines, o.MRZ))
		right, all := characters(o.MRZ, o.raw)
		s.CharactersBefore.Count(right, all)
		right, all = characters(o.MRZ, o.lines)
		s.Characters.Count(right, all)
		for _, name := range evalFields {
			f := s.Fields[name]
			f.Add(o.found && o.document.Field(name).Value == o.Fields[name])
			s.Fields[name] = f
		}
		s.Unflagged.Add(unflaggedWrong(o))
		if o.found && o.document.Field("passport_no").Value == o.Fields["passport_no"] {
			s.FlaggedRight.Add(o.document.Flagged("passport_no"))
		}
		times = append(times, o.elapsed)
	}
	slices.Sort(times)
	s.Milliseconds = score.Milliseconds(score.Percentile(times, 50))
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
	return o.found && got != "" && got != o.Fields["passport_no"] && !o.document.Flagged("passport_no")
}

// Print implements eval.Figures.
func (s zoneScore) Print(out io.Writer) {
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

// Compare prints how the shares changed, in percentage points, and which of them fell below the older interval: such a
// fall is hardly chance.
func (s zoneScore) Compare(out io.Writer, old zoneScore) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\nnew - old\t(old: %s)\n", words.Count(old.Pictures, "picture", "pictures"))
	line := func(name string, is, was score.Share) { score.CompareShares(w, name, is, was) }
	line("lines exact before repair", s.ExactBefore, old.ExactBefore)
	line("lines exact after repair", s.Exact, old.Exact)
	line("characters after repair", s.Characters, old.Characters)
	for _, name := range evalFields {
		line("field "+name, s.Fields[name], old.Fields[name])
	}
	fmt.Fprintf(
		w,
		"number wrong and unflagged\t%+.2f\t(%.2f - %.2f)\n",
		100*(s.Unflagged.Share-old.Unflagged.Share),
		100*s.Unflagged.Share,
		100*old.Unflagged.Share,
	)
	w.Flush()
}
