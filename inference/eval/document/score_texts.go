package document

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/inference/edit"
	"github.com/bawab/bawab/inference/eval/score"
)

// formTexts is the form of the figures that are printed as JSON.
const formTexts = "bawab-eval-lines/1"

// textScore is the report of `bawab eval lines` and `bawab eval pages`; its JSON form is stable.
type textScore struct {
	Form string `json:"form"`
	textFigures
	// Tesseract is how that program read the same pictures; nil when it was not asked.
	Tesseract *textFigures `json:"tesseract,omitempty"`
}

// textFigures says how well a set of pictures was read.
type textFigures struct {
	Pictures   int         `json:"pictures"`
	Failed     int         `json:"failed"` // no answer, or an error
	Characters errorRate   `json:"characters"`
	Exact      score.Share `json:"exact"` // whole texts
	// Found counts lines of pages of which an answer holds at least half; nil for pictures of single lines.
	Found        *score.Share `json:"lines_found,omitempty"`
	Milliseconds float64      `json:"ms_p50"`
	Mean         float64      `json:"ms_mean"`
}

// errorRate is a character error rate with its bootstrapped 95 % interval.
type errorRate struct {
	Errors int     `json:"errors"`
	Of     int     `json:"of"`
	Rate   float64 `json:"rate"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

func (r errorRate) String() string {
	return score.RateRow(r.Rate, r.Errors, r.Of, r.Low, r.High)
}

// mistakes are the errors in one text and its length.
type mistakes struct{ errors, of int }

// resamples is how often the set of pictures is drawn anew for an interval.
const resamples = 2000

// rateOf returns the error rate over all texts. The interval is drawn with a fixed seed: the same texts give the same.
func rateOf(texts []mistakes) errorRate {
	rate := func(pick func(int) mistakes) (r errorRate) {
		for i := range texts {
			m := pick(i)
			r.Errors, r.Of = r.Errors+m.errors, r.Of+m.of
		}
		r.Rate = float64(r.Errors) / float64(max(r.Of, 1))
		return r
	}
	r := rate(func(i int) mistakes { return texts[i] })
	if len(texts) == 0 {
		return r
	}
	rng := rand.New(rand.NewPCG(1, 1))
	rates := make([]float64, resamples)
	for i := range rates {
		rates[i] = rate(func(int) mistakes { return texts[rng.IntN(len(texts))] }).Rate
	}
	slices.Sort(rates)
	r.Low, r.High = rates[resamples*25/1000], rates[resamples*975/1000]
	return r
}

func scoreTexts(outcomes []textOutcome, pages bool) textScore {
	return textScore{Form: formTexts, textFigures: figuresOf(outcomes, pages, func(o *textOutcome) ([]string, time.Duration, error) {
		return o.lines, o.elapsed, o.err
	})}
}

func scoreRival(outcomes []textOutcome, pages bool) *textFigures {
	f := figuresOf(outcomes, pages, func(o *textOutcome) ([]string, time.Duration, error) {
		return o.rival.lines, o.rival.elapsed, o.rival.err
	})
	return &f
}

func figuresOf(outcomes []textOutcome, pages bool, of func(*textOutcome) ([]string, time.Duration, error)) textFigures {
	f := textFigures{Pictures: len(outcomes)}
	if pages {
		f.Found = &score.Share{}
	}
	var texts []mistakes
	var times []time.Duration
	var total time.Duration
	for i := range outcomes {
		o := &outcomes[i]
		lines, elapsed, err := of(o)
		if err != nil {
			f.Failed++
		}
		want, got := []rune(PlainText(strings.Join(o.texts(), " "))), []rune(PlainText(strings.Join(lines, " ")))
		texts = append(texts, mistakes{edit.Distance(want, got), len(want)})
		f.Exact.Add(err == nil && string(want) == string(got))
		if pages {
			f.Found.Count(foundLines(o.texts(), lines))
		}
		times, total = append(times, elapsed), total+elapsed
	}
	slices.Sort(times)
	f.Characters = rateOf(texts)
	f.Milliseconds = score.Milliseconds(score.Percentile(times, 50))
	f.Mean = score.Milliseconds(total / time.Duration(max(len(times), 1)))
	return f
}

// foundLines counts the lines of want of which got holds at least half in one line.
func foundLines(want, got []string) (found, of int) {
	for _, w := range want {
		line := []rune(PlainText(w))
		if slices.ContainsFunc(got, func(g string) bool { return 2*edit.Distance(line, []rune(PlainText(g))) <= len(line) }) {
			found++
		}
	}
	return found, len(want)
}

// Print implements eval.Figures.
func (s textScore) Print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	s.textFigures.rows(w, "")
	if s.Tesseract != nil {
		s.Tesseract.rows(w, "Tesseract: ")
		fmt.Fprintf(w, "times faster than Tesseract\t%.1f\n", s.Tesseract.Mean/max(s.Mean, 0.01))
	}
	w.Flush()
}

func (f *textFigures) rows(w io.Writer, who string) {
	fmt.Fprintf(w, "%spictures\t%d\n", who, f.Pictures)
	fmt.Fprintf(w, "%sfailed\t%d\n", who, f.Failed)
	fmt.Fprintf(w, "%scharacter errors\t%v\n", who, f.Characters)
	fmt.Fprintf(w, "%sexact texts\t%v\n", who, f.Exact)
	if f.Found != nil {
		fmt.Fprintf(w, "%slines found\t%v\n", who, f.Found)
	}
	fmt.Fprintf(w, "%smilliseconds, median and mean\t%.1f\t%.1f\n", who, f.Milliseconds, f.Mean)
}

// Compare prints how the figures changed, in percentage points.
func (s textScore) Compare(out io.Writer, old textScore) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\nnew - old\t(old: %s)\n", words.Count(old.Pictures, "picture", "pictures"))
	is, was := s.Characters, old.Characters
	score.CompareRates(w, "character errors", [2]float64{is.Rate, was.Rate}, min(is.Of, was.Of), is.Rate > was.High)
	score.CompareShares(w, "exact texts", s.Exact, old.Exact)
	if s.Found != nil && old.Found != nil {
		score.CompareShares(w, "lines found", *s.Found, *old.Found)
	}
	fmt.Fprintf(w, "milliseconds, mean\t%+.1f\t(%.1f - %.1f)\n", s.Mean-old.Mean, s.Mean, old.Mean)
	w.Flush()
}
