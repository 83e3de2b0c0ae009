package fit

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/models"
)

// judgedGroup is the group of a calibration that holds the judged numbers that have no older origin.
const judgedGroup = "judged"

// How far the neighbours of a number lie from it, as factors, and how many right values one that is wrong and not flagged outweighs. A
// neighbour takes the place of a number where it is better by more than byChance times what as many changes come to by chance.
const (
	lowerBy, higherBy = 0.7, 1.4
	silentCosts       = 5
	byChance          = 2.0
)

// trial is one judged number at one of its values.
type trial struct {
	number int
	value  float64
	// halves are what the value makes of the one and the other half of the documents, every other one of each folder.
	halves [2]count
	moved  int // readings that it changed
}

// count is how values were read that a trial reads otherwise than the number in use: how many right ones, and how many wrong ones without a
// flag, it wins and loses, and how much becomes better and worse with that.
type count struct{ right, silent, better, worse int }

// gain is how much better values are read than with the number in use.
func (c count) gain() int { return c.better - c.worse }

// judging tries judged numbers on documents.
type judging struct {
	by     *form.Calibration
	names  []string
	used   []float64
	trials []trial
	now    time.Time
	// read, right and silent count the values of all documents, and those of them as the numbers in use read them.
	documents, read, right, silent int
}

// newJudging takes each judged number of a calibration and, of those about it, the neighbours that it may have.
func newJudging(by *form.Calibration) *judging {
	j := &judging{by: by, now: time.Now()}
	for _, of := range []reflect.Value{reflect.ValueOf(by.Page), reflect.ValueOf(by.Label), reflect.ValueOf(by.Judged)} {
		for i := range of.NumField() {
			f := of.Type().Field(i)
			v := by.Weights[models.NameOf(f)]
			for _, factor := range [...]float64{lowerBy, higherBy} {
				n := v * factor
				if f.Type.Kind() == reflect.Int {
					n = math.Round(v + math.Copysign(max(1, math.Abs(n-v)), n-v))
				}
				if n = min(n, (v+models.MostOf(f))/2); n > 0 {
					j.trials = append(j.trials, trial{number: len(j.names), value: n})
				}
			}
			j.names, j.used = append(j.names, models.NameOf(f)), append(j.used, v)
		}
	}
	return j
}

// with is the calibration with the values of some trials.
func (j *judging) with(trials []int) (*form.Calibration, error) {
	numbers := map[string]float64{}
	for i, name := range j.names {
		numbers[name] = j.used[i]
	}
	for _, t := range trials {
		numbers[j.names[j.trials[t].number]] = j.trials[t].value
	}
	out := &form.Calibration{}
	err := models.NewCalibration(models.Group{Values: numbers}).Fill(out)
	out.Weights = j.by.Weights
	return out, err
}

// verdict says what a value is: 1 where it is right, -1 where it is not and nothing says so, 0 else. told is false where the truth has
// none.
func (l *lesson) verdict(d *appliance.Document, f appliance.Field) (is int, told bool) {
	want, told := l.values[f.Name]
	covered := slices.Contains(l.covered, f.Name)
	doubted := slices.ContainsFunc(d.Codes(f.Name), func(c appliance.Code) bool { return c.Doubts() && c != appliance.CodeExpirySpan })
	switch {
	case !covered && (f.Value == want || l.shows(f.Name, f.Value)):
		return 1, told
	case f.Value != "" && f.Value != want && !doubted:
		return -1, told || covered
	}
	return 0, told || covered
}

// reading is how a page is read.
type reading struct {
	is   map[string]int // of the values of its fields
	said string         // all that is read, and how surely
}

func (j *judging) reading(ctx context.Context, l *lesson, trials ...int) (r reading, err error) {
	by, err := j.with(trials)
	if err != nil {
		return r, err
	}
	read, err := l.description.Fit(ctx, l.page.Under(&by.Page), by, field.Known{Now: j.now})
	r.is = map[string]int{}
	for _, f := range read.Fields {
		if is, told := l.verdict(&read.Document, f); told {
			r.is[f.Name] = is
		}
	}
	r.said = fmt.Sprint(read.Fields, read.Validations, read.Survey)
	return r, err
}

// try reads a page with each number at each of its values. Those that seldom change a reading are changed all together first: a page asks
// for few of them, and what all of them together do not change none of them is taken to change.
func (j *judging) try(ctx context.Context, l *lesson) error {
	used, err := j.reading(ctx, l)
	if err != nil {
		return err
	}
	j.documents++
	for _, is := range used.is {
		j.read++
		j.right += max(0, is)
		j.silent += max(0, -is)
	}
	var idle [2][]int // a number has one trial in each
	var alone [][]int
	for t := range j.trials {
		side := 0
		if j.trials[t].value > j.used[j.trials[t].number] {
			side = 1
		}
		if 3*j.trials[t].moved > j.documents {
			alone = append(alone, []int{t})
		} else {
			idle[side] = append(idle[side], t)
		}
	}
	for _, trials := range idle {
		slices.SortStableFunc(trials, func(a, b int) int { return cmp.Compare(j.trials[b].moved, j.trials[a].moved) })
	}
	for _, trials := range append(alone, idle[:]...) {
		if err := j.together(ctx, l, used, trials); err != nil {
			return err
		}
	}
	return nil
}

// together reads a page with some trials at once, and where that changes the reading with each half of them.
func (j *judging) together(ctx context.Context, l *lesson, used reading, trials []int) error {
	if len(trials) == 0 {
		return nil
	}
	got, err := j.reading(ctx, l, trials...)
	if err != nil || got.said == used.said {
		return err
	}
	if half := len(trials) / 2; half > 0 {
		if err := j.together(ctx, l, used, trials[:half]); err != nil {
			return err
		}
		return j.together(ctx, l, used, trials[half:])
	}
	t := &j.trials[trials[0]]
	t.moved++
	t.halves[j.documents%2].add(got.is, used.is)
	return nil
}

// add counts the values of a page.
func (c *count) add(got, used map[string]int) {
	for name, was := range used {
		is := got[name]
		c.right += max(0, is) - max(0, was)
		c.silent += max(0, -is) - max(0, -was)
		worth := func(is int) int { return max(0, is) - silentCosts*max(0, -is) }
		if change := worth(is) - worth(was); change > 0 {
			c.better += change
		} else {
			c.worse -= change
		}
	}
}

// both is what a trial makes of all documents.
func (t *trial) both() count {
	a, b := t.halves[0], t.halves[1]
	return count{a.right + b.right, a.silent + b.silent, a.better + b.better, a.worse + b.worse}
}

// chosen is the value of a number: that of the trial which the one half of the documents chooses, where the other half bears it out by more
// than chance, or the one in use.
func (j *judging) chosen(number int) float64 {
	var best *trial
	for t := range j.trials {
		if of := &j.trials[t]; of.number == number && of.halves[0].gain() > 0 && (best == nil || of.halves[0].gain() > best.halves[0].gain()) {
			best = of
		}
	}
	if best == nil {
		return j.used[number]
	}
	if c := best.halves[1]; float64(c.gain()) <= byChance*math.Sqrt(float64(c.better+c.worse)) {
		return j.used[number]
	}
	return best.value
}

// neighbours says what the other values of a number win and lose beside the one in use.
func (j *judging) neighbours(number int) string {
	var out []string
	for _, t := range j.trials {
		switch c := t.both(); {
		case t.number != number:
		case c.better+c.worse == 0:
			out = append(out, fmt.Sprintf("%.4g: the same", t.value))
		default:
			out = append(out, fmt.Sprintf("%.4g: %+d right, %+d wrong without a flag", t.value, c.right, c.silent))
		}
	}
	return strings.Join(out, "; ")
}

// judge tries all judged numbers on the documents of folders.
func (f *Fit) judge(ctx context.Context, b *bench, dirs []string) (c models.Calibration, err error) {
	j := newJudging(b.reads)
	if err := b.lessons(ctx, dirs, func(l lesson) error { return j.try(ctx, &l) }); err != nil {
		return c, err
	}
	return f.judgement(b.program, j, f.origin(j.documents, dirs))
}

// judgement is a calibration with what was found of judged numbers, which the report tells as well. Numbers of other groups stay in them.
func (f *Fit) judgement(program models.Calibration, j *judging, g models.Group) (models.Calibration, error) {
	g.Name, g.N, g.Values, g.Neighbours = judgedGroup, j.read, map[string]float64{}, map[string]string{}
	g.Budget = fmt.Sprintf("%d of %d values right and %d wrong without a flag, of which one outweighs %d right ones; a number changes where "+
		"one half of the documents chooses another and the other half bears it out", j.right, j.read, j.silent, silentCosts)
	w := tabwriter.NewWriter(f.Report, 0, 0, 2, ' ', 0)
	groups := slices.Clone(program.Groups)
	fmt.Fprintf(w, "%s\n", g.Budget)
	for number, name := range j.names {
		v := j.chosen(number)
		fmt.Fprintf(w, "%s\t%.4g\t%s\n", name, v, j.neighbours(number))
		at := slices.IndexFunc(groups, func(o models.Group) bool { _, ok := o.Values[name]; return ok && o.Name != judgedGroup })
		if at < 0 {
			g.Values[name], g.Neighbours[name] = v, j.neighbours(number)
		} else if v != j.used[number] {
			groups[at].Values = maps.Clone(groups[at].Values)
			groups[at].Values[name] = v
		}
	}
	at := slices.IndexFunc(groups, func(o models.Group) bool { return o.Name == judgedGroup })
	groups[at] = g
	return models.NewCalibration(groups...), w.Flush()
}
