package drift

import "math"

const (
	// oddsRise is how much greater the odds are that a chart is made to find.
	oddsRise = 3
	// leastBase and mostBase bound the rates that are watched against: below the first a baseline of LearnDocuments says nothing, and
	// above the second there is nothing left to rise.
	leastBase, mostBase = 0.01, 0.97
	// luck is the quantile of the normal distribution up to which a baseline may have been lucky: 84 %, one-sided.
	luck = 1
	// overshoot is how many documents more than e^h/p a chart runs, at the least, by simulation (1.7 to 4 for rates of 0.5 to 50 %).
	overshoot = 1.5
	// calm is the sum of evidence, for the baseline and against the raised rate, at which an alarm ends: a thousand to one.
	calm = 6.9
)

// base is the rate that a series is watched against, from the hits of n documents.
func base(hits, n int) float64 {
	if n == 0 {
		return leastBase
	}
	p, m := float64(hits)/float64(n), float64(n)
	upper := (p + luck*luck/(2*m) + luck*math.Sqrt(p*(1-p)/m+luck*luck/(4*m*m))) / (1 + luck*luck/m)
	return min(max(upper, leastBase), mostBase)
}

// raised is the rate whose odds are oddsRise times those of p.
func raised(p float64) float64 { return oddsRise * p / (1 + (oddsRise-1)*p) }

// limit is the sum from which a chart of base p raises an alarm, so that a family of charts over so many documents a year raises one a
// year at most.
func limit(p float64, family int, yearly float64) float64 {
	return max(math.Log(float64(family)*yearly*p/overshoot), 3)
}

// chart is the CUSUM of one rate. The zero chart is a fresh one.
type chart struct {
	// Sum is the evidence for a rise since the sum last left zero, and N and Hits are the documents since then.
	Sum  float64 `json:"sum,omitempty"`
	N    int     `json:"n,omitempty"`
	Hits int     `json:"hits,omitempty"`
	// Alarm says that the sum was above the limit and the rate has not come back since; Back is the evidence that it has.
	Alarm bool    `json:"alarm,omitempty"`
	Back  float64 `json:"back,omitempty"`
}

// add takes in one document; p is the baseline.
func (c *chart) add(hit bool, p, limit float64) {
	q := raised(p)
	step := math.Log((1 - q) / (1 - p))
	if hit {
		step = math.Log(q / p)
		c.Hits++
	}
	c.N++
	if c.Alarm {
		c.Back = max(0, c.Back-step)
		return
	}
	c.Sum = max(0, c.Sum+step)
	c.Alarm = c.Sum >= limit
}

// over reports whether nothing speaks for a rise any more: the sum is at zero, or the rate has come back after an alarm.
func (c *chart) over() bool {
	if c.Alarm {
		return c.Back >= calm
	}
	return c.Sum == 0
}
