package person

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"golang.org/x/image/draw"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/inference/eval"
	"github.com/bawab/bawab/inference/eval/score"
	"github.com/bawab/bawab/inference/face"
)

// formRule is the form of the figures that are printed as JSON.
const formRule = "bawab-eval-rule/1"

// ruleCase is a burst that was made to break one rule.
type ruleCase struct {
	number int
	// frames are the pictures that the burst is made of.
	frames [appliance.BurstFrames]string
	// copies are what is done to each; nil leaves a frame as it is.
	copies [appliance.BurstFrames]*alteration
}

// kind names what was done, for the report.
func (c *ruleCase) kind() string {
	for _, a := range c.copies {
		if a != nil {
			return a.kind()
		}
	}
	return "another person"
}

// alteration is what somebody does to a picture to pass it for another one.
type alteration struct {
	crop    [4]float64 // shares of the sides that are cut off: left, top, right, bottom
	scale   float64
	scaler  draw.Scaler
	gain    float64
	offset  float64
	quality int
}

func (a *alteration) kind() string {
	var done []string
	if a.crop != [4]float64{} {
		done = append(done, "cropped")
	}
	if a.scale != 1 {
		done = append(done, "resized")
	}
	if a.gain != 1 || a.offset != 0 {
		done = append(done, "relit")
	}
	return strings.Join(append(done, "coded"), "+")
}

// newAlteration draws an alteration: each of a crop of up to 5 % a side, a new size of 0.6 to 1.5 and another brightness, up to a
// third, with an even chance; the picture is always coded anew, at a quality from 40 to 95.
func newAlteration(r *rand.Rand) *alteration {
	a := &alteration{scale: 1, gain: 1, quality: 40 + r.IntN(56)}
	if r.IntN(2) == 0 {
		for i := range a.crop {
			a.crop[i] = 0.05 * r.Float64()
		}
	}
	if r.IntN(2) == 0 {
		a.scale = 0.6 + 0.9*r.Float64()
	}
	if r.IntN(2) == 0 {
		a.gain, a.offset = 0.75+0.55*r.Float64(), 40*r.Float64()-20
	}
	a.scaler = []draw.Scaler{draw.ApproxBiLinear, draw.BiLinear, draw.CatmullRom}[r.IntN(3)]
	return a
}

// apply returns the altered picture as a JPEG file.
func (a *alteration) apply(raw []byte) ([]byte, error) {
	m, _, err := image.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("alter picture: %w", err)
	}
	b := m.Bounds()
	w, h := float64(b.Dx()), float64(b.Dy())
	from := image.Rect(b.Min.X+int(math.Round(a.crop[0]*w)), b.Min.Y+int(math.Round(a.crop[1]*h)),
		b.Max.X-int(math.Round(a.crop[2]*w)), b.Max.Y-int(math.Round(a.crop[3]*h)))
	to := image.NewRGBA(
		image.Rect(0, 0, max(int(math.Round(a.scale*float64(from.Dx()))), 1), max(int(math.Round(a.scale*float64(from.Dy()))), 1)),
	)
	if a.scale == 1 {
		draw.Copy(to, image.Point{}, m, from, draw.Src, nil)
	} else {
		a.scaler.Scale(to, to.Rect, m, from, draw.Src, nil)
	}
	for i, v := range to.Pix {
		if i%4 < 3 {
			to.Pix[i] = byte(math.Round(min(max(a.gain*float64(v)+a.offset, 0), 255)))
		}
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, to, &jpeg.Options{Quality: a.quality}); err != nil {
		return nil, fmt.Errorf("alter picture: %w", err)
	}
	return out.Bytes(), nil
}

// personOf is whom a folder of pictures shows: its name up to the first hyphen, as in 0007-01-03.
func personOf(file string) string {
	name, _, _ := strings.Cut(filepath.Base(filepath.Dir(file)), "-")
	return name
}

// Rules are the rules that bursts can be made to break.
func Rules() []appliance.Reason {
	return []appliance.Reason{appliance.IdenticalImages, appliance.DifferentPersons}
}

// ruleCases draws bursts that break a rule from those of living persons.
func ruleCases(rule appliance.Reason, live []burst, n int, seed uint64) (cases []ruleCase, err error) {
	r := rand.New(rand.NewPCG(seed, 6))
	for i := range n {
		c := ruleCase{number: i, frames: live[r.IntN(len(live))].files}
		if rule == appliance.IdenticalImages {
			// Two or all three are one picture; a third that is none is another frame of the burst.
			from, twin := r.IntN(3), 0
			if r.IntN(2) == 0 {
				c.frames = [appliance.BurstFrames]string{c.frames[from], c.frames[from], c.frames[from]}
				twin = r.IntN(3)
				c.copies[(twin+1)%3] = newAlteration(r)
			} else {
				twin = (from + 1 + r.IntN(2)) % 3
				c.frames[twin] = c.frames[from]
			}
			c.copies[twin] = newAlteration(r)
			cases = append(cases, c)
			continue
		}
		var others []burst
		for _, b := range live {
			if personOf(b.files[0]) != personOf(c.frames[0]) {
				others = append(others, b)
			}
		}
		if len(others) == 0 {
			return nil, noCases("the folder live shows one person only")
		}
		at := r.IntN(3)
		c.frames[at] = others[r.IntN(len(others))].files[r.IntN(3)]
		cases = append(cases, c)
	}
	return cases, nil
}

func noCases(why string) error {
	return &appliance.Error{Op: "draw cases", Msg: why, Hint: "see `bawab eval liveness --help` for the folders"}
}

// ruleOutcome is what became of a case.
type ruleOutcome struct {
	ruleCase
	err      error
	findings appliance.BurstFindings
}

// Failure implements eval.Outcome.
func (o ruleOutcome) Failure() (string, error) { return fmt.Sprintf("case %d", o.number), o.err }

// ruleScore is the report of `bawab eval liveness --rule`; its JSON form is stable.
type ruleScore struct {
	Form string           `json:"form"`
	Rule appliance.Reason `json:"rule"`
	Seed uint64           `json:"seed"`
	// Cases is how many bursts were made, Failed how many of them could not be judged, and Named the share of which the rule was
	// named as broken.
	Cases  int                    `json:"cases"`
	Failed int                    `json:"failed"`
	Named  score.Share            `json:"named"`
	Kinds  map[string]score.Share `json:"kinds"`
}

// runRule makes bursts that break a rule and counts for how many that is said.
func (v *Liveness) runRule(ctx context.Context) error {
	rule := v.Rule
	live, err := v.living()
	if err != nil {
		return err
	}
	cases, err := ruleCases(rule, live, v.Cases, v.Seed)
	if err != nil {
		return err
	}
	r, err := eval.OpenReport[ruleScore](&v.Call, formRule)
	if err != nil {
		return err
	}
	outcomes, err := eval.ExamineAll(ctx, &v.Call, cases, v.judgeCase)
	if err != nil {
		return err
	}
	s := ruleScore{Form: formRule, Rule: rule, Seed: v.Seed, Cases: len(cases), Kinds: map[string]score.Share{}}
	for i := range outcomes {
		o := &outcomes[i]
		if o.err != nil {
			s.Failed++
			continue
		}
		named := slices.Contains(o.findings.Reasons, rule)
		s.Named.Add(named)
		k := s.Kinds[o.kind()]
		k.Add(named)
		s.Kinds[o.kind()] = k
	}
	return r.Deliver(s, func(w io.Writer) { printUnnamed(w, rule, outcomes) })
}

// judgeCase makes and judges one case by the rules alone.
func (v *Liveness) judgeCase(ctx context.Context, e *engine.Engine, c ruleCase) (o ruleOutcome) {
	o.ruleCase = c
	if e.Faces.Finder == nil {
		o.err = appliance.Errorf(appliance.CodeNotBuilt, "this binary carries no networks for faces")
		return o
	}
	pictures := make([]*appliance.Picture, len(c.frames))
	for i, name := range c.frames {
		var raw []byte
		if raw, o.err = engine.ReadPicture(nil, name, int64(e.Decoder.MaxBytes)); o.err != nil {
			return o
		}
		if c.copies[i] != nil {
			if raw, o.err = c.copies[i].apply(raw); o.err != nil {
				return o
			}
		}
		if pictures[i], o.err = e.FrameDecoder().Decode(ctx, raw); o.err != nil {
			return o
		}
	}
	o.findings, o.err = face.NewRules(e.Faces.Finder, e.Faces.Matcher).Judge(ctx, pictures)
	return o
}

// Print implements eval.Figures.
func (s ruleScore) Print(out io.Writer) {
	fmt.Fprintf(out, "%s of %s (seed %d), %d failed\n\n", words.Count(s.Cases, "case", "cases"), s.Rule, s.Seed, s.Failed)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "named\t%s\n", s.Named)
	for _, kind := range slices.Sorted(maps.Keys(s.Kinds)) {
		fmt.Fprintf(w, "%s\t%s\n", kind, s.Kinds[kind])
	}
	w.Flush()
}

// Compare prints what changed against earlier figures.
func (s ruleScore) Compare(out io.Writer, old ruleScore) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nagainst the earlier figures")
	score.CompareShares(w, "named", s.Named, old.Named)
	w.Flush()
}

// printUnnamed lists the cases whose broken rule was not named.
func printUnnamed(w io.Writer, rule appliance.Reason, outcomes []ruleOutcome) {
	for i := range outcomes {
		switch o := &outcomes[i]; {
		case o.err != nil:
			fmt.Fprintf(w, "case %d: failed: %v\n", o.number, o.err)
		case !slices.Contains(o.findings.Reasons, rule):
			fmt.Fprintf(
				w,
				"case %d: %s of %v: reasons %v, %s\n",
				o.number,
				o.kind(),
				o.frames,
				o.findings.Reasons,
				strongest(o.findings.Cues),
			)
		}
	}
}

// strongest is the cue that came nearest to its threshold.
func strongest(cues []appliance.Cue) string {
	if len(cues) == 0 {
		return "no cues"
	}
	c := slices.MaxFunc(cues, func(a, b appliance.Cue) int { return cmp.Compare(a.Score-a.Threshold, b.Score-b.Threshold) })
	return fmt.Sprintf("%s %.3f of %.3f", c.Name, c.Score, c.Threshold)
}
