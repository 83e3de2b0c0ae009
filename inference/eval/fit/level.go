package fit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/models"
)

// How the rows of strips learn where letters stand, from what the network of base lines says of the same lines: each line is learned as it
// was detected and as often moved, for so many rounds, of so many lines a step. A step is as long as Adam makes it, at most firstLevel, and
// shrinks to nothing; weights lose a share of their size with each. An error of more than largeLevel pulls no harder.
const (
	levelMoves, levelRounds, levelBatch = 2, 25, 256
	firstLevel, levelDecay              = 4e-3, 0.3
	largeLevel                          = 0.1
	levelNoise                          = 0.05 // of the traits, in their spreads
)

// farOff are the distance, in heights, and the logarithm of the height beyond which a line is no example: the network saw something else.
const farOff, farHigher = 0.5, 0.6

// shown is a line by the traits of its rows, and where its letters stand: down and higher, the second a logarithm.
type shown struct {
	traits []float64
	level  [2]float64
}

// levels fits where letters stand by the rows of lines.
func (f *Fit) levels(ctx context.Context, b *bench, lessons []lesson, dirs []string) (c models.Calibration, err error) {
	c = b.program
	rng := rand.New(rand.NewPCG(f.Seed, 0))
	pages := make([][]shown, len(lessons))
	for i, l := range lessons {
		if pages[i], err = l.levels(ctx, b.network, rng); err != nil {
			return c, err
		}
	}
	const parts = 5
	var off [2]float64
	n := 0
	var learned, unseen []shown
	for i, p := range pages {
		if i%parts == 0 {
			unseen = append(unseen, p...)
		} else {
			learned = append(learned, p...)
		}
	}
	rows, err := text.NewRows(learnLevels(learned, f.Seed))
	if err != nil {
		return c, err
	}
	for i := 0; i < len(unseen); i += 1 + levelMoves { // as they were detected
		lower, higher := rows.Level(unseen[i].traits)
		off[0] += math.Pow(lower-unseen[i].level[0], 2)
		off[1] += math.Pow(math.Log(higher)-unseen[i].level[1], 2)
		n++
	}
	g := f.origin(len(lessons), dirs)
	all := slices.Concat(pages...)
	g.Name, g.N, g.Values = "level", len(all)/(1+levelMoves), rounded4(learnLevels(all, f.Seed))
	g.Budget = fmt.Sprintf("as the network of base lines says; on pages not fitted to, the place differs by %.2g and the height by %.2g of "+
		"the height (root of the mean square)", math.Sqrt(off[0]/float64(n)), math.Sqrt(off[1]/float64(n)))
	c.Groups = append(slices.DeleteFunc(slices.Clone(c.Groups), func(o models.Group) bool { return o.Name == g.Name }), g)
	return c, nil
}

// levels are the lines of a page, each as it was detected and then moved as the detector errs.
func (l *lesson) levels(ctx context.Context, network *text.LineReader, rng *rand.Rand) (out []shown, err error) {
	for _, line := range slices.Concat(l.page.Rows...) {
		plane := l.page.Dark
		if line.Light {
			plane = l.page.View.Light()
		}
		level, err := network.Level(ctx, plane, l.page.ToPicture, line)
		if err != nil {
			return nil, err
		}
		if down, higher := line.Moves(level); math.Abs(down) > farOff || math.Abs(math.Log(higher)) > farHigher {
			continue
		}
		moved := line
		for range 1 + levelMoves {
			down, higher := moved.Moves(level)
			out = append(out, shown{network.RowsOf(plane, l.page.ToPicture, moved), [2]float64{down, math.Log(higher)}})
			moved = line.Moved(moves(rng, 0.05), math.Exp(moves(rng, 0.07)))
		}
	}
	return out, nil
}

// moves is how far off a detector may be by chance: so far, mostly.
func moves(rng *rand.Rand, spread float64) float64 {
	return spread * max(-2.5, min(rng.NormFloat64(), 2.5))
}

// learnLevels learns the numbers of text.Rows.
func learnLevels(lines []shown, seed uint64) form.Weights {
	l := newLevelLearner(lines, rand.New(rand.NewPCG(seed, 1)))
	steps := levelRounds * ((len(lines) + levelBatch - 1) / levelBatch)
	done := 0
	for range levelRounds {
		for batch := range slices.Chunk(l.rng.Perm(len(lines)), levelBatch) {
			l.step(lines, batch, firstLevel*(1-float64(done)/float64(steps)))
			done++
		}
	}
	return l.numbers()
}

// levelLearner learns over traits that are brought to a mean of 0 and a spread of 1.
type levelLearner struct {
	rng          *rand.Rand
	mean, spread []float64
	w            []float64 // of each unit: of its traits, the last of which is 1, and what it does to a line
	slope        []float64
	first, size  []float64 // the means of slopes and of their squares
	steps        int
}

func newLevelLearner(lines []shown, rng *rand.Rand) *levelLearner {
	const flat = 0.01 // a trait that hardly differs tells nothing
	n := len(text.RowTraits())
	l := &levelLearner{rng: rng, mean: make([]float64, n), spread: make([]float64, n)}
	for i := range n - 1 {
		sum, square := 0.0, 0.0
		for _, x := range lines {
			sum, square = sum+x.traits[i], square+x.traits[i]*x.traits[i]
		}
		l.mean[i] = sum / float64(len(lines))
		l.spread[i] = flat + math.Sqrt(max(0, square/float64(len(lines))-l.mean[i]*l.mean[i]))
	}
	l.spread[n-1] = 1
	l.w = make([]float64, text.RowUnits*(n+2))
	for i := range l.w {
		l.w[i] = (2*rng.Float64() - 1) / math.Sqrt(float64(n))
	}
	l.slope, l.first, l.size = make([]float64, len(l.w)), make([]float64, len(l.w)), make([]float64, len(l.w))
	return l
}

// step moves the weights so that some lines are levelled better: a step of Adam with decay.
func (l *levelLearner) step(lines []shown, batch []int, rate float64) {
	const keepFirst, keepSize = 0.9, 0.999
	clear(l.slope)
	for _, i := range batch {
		l.bend(lines[i], 1/float64(len(batch)))
	}
	l.steps++
	for i, g := range l.slope {
		l.first[i] = keepFirst*l.first[i] + (1-keepFirst)*g
		l.size[i] = keepSize*l.size[i] + (1-keepSize)*g*g
		first, size := l.first[i]/(1-math.Pow(keepFirst, float64(l.steps))), l.size[i]/(1-math.Pow(keepSize, float64(l.steps)))
		l.w[i] -= rate * (levelDecay*l.w[i] + first/(math.Sqrt(size)+1e-8))
	}
}

// bend adds what a line says to the slope of the loss.
func (l *levelLearner) bend(x shown, share float64) {
	n := len(l.mean)
	in := make([]float64, n)
	for i := range n - 1 {
		in[i] = (x.traits[i]-l.mean[i])/l.spread[i] + levelNoise*l.rng.NormFloat64()
	}
	in[n-1] = 1
	said, got := make([]float64, text.RowUnits), [2]float64{}
	for u := range said {
		w := l.w[u*(n+2):]
		for i, v := range in {
			said[u] += w[i] * v
		}
		said[u] = math.Tanh(said[u])
		got[0], got[1] = got[0]+w[n]*said[u]*largeLevel, got[1]+w[n+1]*said[u]*largeLevel
	}
	var pull [2]float64
	for k := range pull {
		pull[k] = share * max(-1, min((got[k]-x.level[k])/largeLevel, 1))
	}
	for u, s := range said {
		w, g := l.w[u*(n+2):], l.slope[u*(n+2):]
		back := (pull[0]*w[n] + pull[1]*w[n+1]) * (1 - s*s)
		for i, v := range in {
			g[i] += back * v
		}
		g[n] += pull[0] * s
		g[n+1] += pull[1] * s
	}
}

// numbers are the weights by name, over traits as they are.
func (l *levelLearner) numbers() form.Weights {
	n := len(l.mean)
	names, out := text.RowTraits(), form.Weights{}
	for u := range text.RowUnits {
		w := l.w[u*(n+2):]
		always := w[n-1]
		for i, name := range names[:n-1] {
			out[text.RowWeight(u, name)] = w[i] / l.spread[i]
			always -= w[i] * l.mean[i] / l.spread[i]
		}
		out[text.RowWeight(u, names[n-1])] = always
		out[text.RowWeight(u, text.RowLower)], out[text.RowWeight(u, text.RowHigher)] = w[n]*largeLevel, w[n+1]*largeLevel
	}
	return out
}
