package drift

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// runs is how often a run length is simulated for each rate; the package comment gives those of 300.
var runs = flag.Int("runs", 60, "simulations of a run length for each rate")

// feed draws documents at a rate until the series raises an alarm, at most so many; it tells how many that took.
func feed(random *rand.Rand, s *series, rate float64, family, most int) int {
	for n := range most {
		s.add(time.Time{}, random.Float64() < rate, family, 365*leastDaily)
		if s.Chart.Alarm {
			return n + 1
		}
	}
	return most
}

// learned is a series that has learned its baseline from documents of a rate.
func learned(random *rand.Rand, rate float64) *series {
	s := &series{}
	for range LearnDocuments {
		s.learn(1, oneIf(random.Float64() < rate))
	}
	return s
}

// The charts keep the run lengths that they are designed for, the learning of the baseline included: a family raises less than about
// one false alarm a year, and a threefold rise is found as soon as the package comment says.
func TestRunLength(t *testing.T) {
	const family, yearly, settle = 13, 365 * leastDaily, 1500
	runs := *runs
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		rate float64
		half int
	}{{0.01, 1000}, {0.02, 450}, {0.05, 160}, {0.1, 90}, {0.2, 45}, {0.3, 30}} {
		alarms, seen := 0, 0
		var delays []int
		for range runs {
			n := feed(random, learned(random, c.rate), c.rate, family, yearly)
			if seen += n; n < yearly {
				alarms++
			}
			s := learned(random, c.rate)
			for feed(random, s, c.rate, family, settle) < settle {
				s = learned(random, c.rate)
			}
			delays = append(delays, feed(random, s, 3*c.rate, family, 20000))
		}
		slices.Sort(delays)
		sum, day := 0, 0
		for _, d := range delays {
			if sum += d; d <= leastDaily {
				day++
			}
		}
		false1, mean := float64(alarms)/float64(seen)*yearly*family, float64(sum)/float64(runs)
		t.Logf("%4.0f %% to %2.0f %%: %.2f false alarms a year and family (%d in %d documents); found after %.0f (mean), %d (half), %d (90 %%), "+
			"%d of %d within %d", c.rate*100, 300*c.rate, false1, alarms, seen, mean, delays[runs/2], delays[runs*9/10], day, runs, leastDaily)
		if false1 > 1.3 || delays[runs/2] > c.half {
			t.Errorf("%.2f: %.2f false alarms a year, %d documents to an alarm", c.rate, false1, delays[runs/2])
		}
	}
}

// An alarm ends when the rate is what it was before, not while it is high; what came during it is no part of the baseline.
func TestAlarmEnds(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	s := learned(random, 0.1)
	if n := feed(random, s, 0.5, 13, 200); n == 200 {
		t.Fatal("no alarm")
	}
	before := s.N
	for range 500 {
		s.add(time.Time{}, random.Float64() < 0.5, 13, 36500)
	}
	if !s.Chart.Alarm || s.N != before {
		t.Fatalf("alarm %v, baseline of %d documents instead of %d", s.Chart.Alarm, s.N, before)
	}
	for range 400 {
		s.add(time.Time{}, random.Float64() < 0.1, 13, 36500)
	}
	if s.Chart.Alarm {
		t.Errorf("the alarm lasts: %+v", s)
	}
}
