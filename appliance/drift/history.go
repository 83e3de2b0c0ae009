package drift

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
)

// Series is a series as it stands.
type Series struct {
	ID      ID
	Kind    string
	Measure Measure
	Of      string
	// Documents and Hits are those of the baseline; Learning says that it is not complete yet.
	Documents, Hits int
	Learning        bool
	// Alarm is nil where the rate is what it was.
	Alarm *Alarm
	// Days are those on which the stream had documents, oldest first.
	Days []Day
}

// Day is how many documents the stream of a series had on a day, and on how many of them it held.
type Day struct {
	Date    string // YYYY-MM-DD
	N, Hits int
}

// Alarm is a rise that lasts.
type Alarm struct {
	// Since is the likeliest time of the change, N and Hits are the documents since then.
	Since   time.Time
	N, Hits int
	// Rate and Before are the shares since and of the baseline, Ratio is the one by the other; where the baseline had no hit, it is
	// counted as having had one.
	Rate, Before, Ratio float64
}

// alarm is that of a series, nil where there is none.
func (s *series) alarm(now time.Time) *Alarm {
	if !s.Chart.Alarm || s.Chart.N == 0 || s.N == 0 {
		return nil
	}
	a := &Alarm{Since: s.Since, N: s.Chart.N, Hits: s.Chart.Hits}
	if a.Since.After(now) { // the clock was set back
		a.Since = now
	}
	a.Rate, a.Before = float64(a.Hits)/float64(a.N), float64(s.Hits)/float64(s.N)
	a.Ratio = a.Rate / (float64(max(s.Hits, 1)) / float64(s.N))
	return a
}

// rank puts what says most of the cause first: a field before the codes that follow from it.
func rank(m Measure) int {
	return slices.Index([]Measure{Empty, Doubted, Refused, NotPassed, Coded}, m)
}

// Alarms are the series with an alarm: fields first, the longest lasting first among them.
func (w *Watch) Alarms() []Series {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []Series
	now := w.now()
	for stream, s := range w.streams {
		for name, one := range s.Series {
			if a := one.alarm(now); a != nil {
				out = append(out, one.shown(idOf(stream, name), s, a))
			}
		}
	}
	slices.SortFunc(out, func(a, b Series) int {
		return cmp.Or(
			cmp.Compare(rank(a.Measure), rank(b.Measure)),
			a.Alarm.Since.Compare(b.Alarm.Since),
			strings.Compare(string(a.ID), string(b.ID)),
		)
	})
	return out
}

func (s *series) shown(id ID, of *stream, a *Alarm) Series {
	kind, m, what := id.Parts()
	return Series{
		ID: id, Kind: kind, Measure: m, Of: what, Documents: s.N, Hits: s.Hits,
		Learning: of.learning() || s.N < LearnDocuments, Alarm: a,
	}
}

// History is every series that has held once, of a kind or with "" of all, with the last days; by their ids.
func (w *Watch) History(kind string, days int) []Series {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	dates := slices.Sorted(maps.Keys(w.days))
	dates = dates[max(0, len(dates)-days):]
	var out []Series
	for stream, s := range w.streams {
		for name, one := range s.Series {
			shown := one.shown(idOf(stream, name), s, one.alarm(now))
			if kind != "" && shown.Kind != kind {
				continue
			}
			for _, date := range dates {
				if c := w.days[date][stream]; c != nil && c.N > 0 {
					shown.Days = append(shown.Days, Day{Date: date, N: c.N, Hits: c.Hits[name]})
				}
			}
			out = append(out, shown)
		}
	}
	slices.SortFunc(out, func(a, b Series) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return out
}

// Kinds are those that have been counted, in order.
func (w *Watch) Kinds() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var kinds []string
	for name := range w.streams {
		_, kind, _ := strings.Cut(name, ".")
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// causeDays is how far apart the likeliest days of rises may lie that have one cause: that of a rare share is known to a few days alone.
const causeDays = 3

// Cause lists the alarms that began with that of a series, itself first: those of the same kind whose rises fall together. What began at
// another time had another cause, and nobody may wave it through unseen.
func (w *Watch) Cause(id ID) []ID {
	alarms := w.Alarms()
	i := slices.IndexFunc(alarms, func(s Series) bool { return s.ID == id })
	if i < 0 {
		return []ID{id}
	}
	cause := []ID{id}
	for _, s := range alarms {
		if s.ID != id && s.Kind == alarms[i].Kind && s.Alarm.Since.Sub(alarms[i].Alarm.Since).Abs() <= causeDays*24*time.Hour {
			cause = append(cause, s.ID)
		}
	}
	return cause
}

// Acknowledge takes the rate that a series has now for what is to be expected: its baseline is learned anew from the next LearnDocuments
// documents, and its alarm ends.
// It returns the series as it was.
func (w *Watch) Acknowledge(id ID) (before Series, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	name := id.stream()
	if s := w.streams[name]; s != nil {
		if one := s.Series[strings.TrimPrefix(string(id), name+".")]; one != nil {
			before = one.shown(id, s, one.alarm(w.now()))
			*one = series{}
			w.changed = true
			return before, nil
		}
	}
	return before, appliance.Errorf(appliance.CodeNotFound, "there is no such series: GET /v1/drift lists them")
}
