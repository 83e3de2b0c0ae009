package drift

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
)

const (
	// LearnDocuments is from how many documents a baseline is learned at the least.
	LearnDocuments = 300
	// LearnDays is from how many days a baseline is learned at the least.
	LearnDays = 3
	// learnMost is up to how many documents a baseline goes on growing while its rate is what it was.
	learnMost = 4000
	// DaysMost is how many days are kept.
	DaysMost = 400
	// SeriesMost is how many series of one stream are kept.
	SeriesMost = 96
	// leastDaily is the number of documents a day for which the limits are set where a stream has fewer, so that a quiet week does not
	// make the charts nervous. dailyOver is over how many days the number is taken.
	leastDaily, dailyOver = 100, 28

	dayForm            = "2006-01-02"
	stateKey, dayStart = "state", "day "
)

// Store keeps what the watch puts down: a few values by their names, durable on return.
type Store interface {
	// Drift returns everything that is kept.
	Drift(ctx context.Context) (map[string][]byte, error)
	// KeepDrift puts values and drops others, all of it or nothing.
	KeepDrift(ctx context.Context, put map[string][]byte, drop []string) error
}

// Watch counts what is decided and watches the rates. Its methods are safe for concurrent use. Nothing waits for a disk but Open and Flush.
type Watch struct {
	store Store
	now   func() time.Time
	zone  *time.Location

	mu      sync.Mutex
	streams map[string]*stream
	days    map[string]day
	daily   map[string]float64 // documents a day of a stream, over the last days
	today   string
	dirty   map[string]bool // days that were counted in since the last Flush
	dropped map[string]bool
	changed bool // the charts have changed since
}

// day is the counts of one day, by stream.
type day map[string]*count

// count is how many documents a stream had on a day, and on how many of them what held.
type count struct {
	N    int            `json:"n"`
	Hits map[string]int `json:"hits,omitempty"`
}

// stream is the charts of what has one denominator. The same documents fill all of its baselines.
type stream struct {
	N    int    `json:"n"`    // documents seen, up to where the baseline is complete
	Days int    `json:"days"` // on which there were some, up to LearnDays
	Last string `json:"last,omitempty"`
	// Series are those that have held once; the others have a baseline of zero hits.
	Series map[string]*series `json:"series,omitempty"`
}

func (s *stream) learning() bool { return s.N < LearnDocuments || s.Days < LearnDays }

// series is one chart with its baseline.
type series struct {
	Hits  int       `json:"hits"`
	N     int       `json:"n"` // documents of the baseline
	Since time.Time `json:"since,omitzero"`
	Chart chart     `json:"chart,omitzero"`

	family int // how many series share its false alarms; 0 until it is asked for
}

// learn adds documents to the baseline.
func (s *series) learn(n, hits int) {
	if s.N < learnMost {
		s.N, s.Hits = s.N+n, s.Hits+hits
	}
}

// add takes in one document of a stream whose charts are at work. What came between two zeros of the sum adds to the baseline: such
// stretches are whole, so taking them in shifts no rate. What came during an alarm does not.
func (s *series) add(now time.Time, hit bool, family int, yearly float64) {
	p := base(s.Hits, s.N)
	if p >= mostBase { // there is nothing left to rise
		s.learn(1, oneIf(hit))
		s.Chart = chart{}
		return
	}
	if s.Chart.N == 0 {
		s.Since = now
	}
	s.Chart.add(hit, p, limit(p, family, yearly))
	if !s.Chart.over() {
		return
	}
	if !s.Chart.Alarm {
		s.learn(s.Chart.N, s.Chart.Hits)
	}
	s.Chart = chart{}
}

// New makes a watch. Days are those of the zone.
func New(store Store, now func() time.Time, zone *time.Location) *Watch {
	return &Watch{
		store: store, now: now, zone: zone, streams: map[string]*stream{}, days: map[string]day{}, daily: map[string]float64{},
		dirty: map[string]bool{}, dropped: map[string]bool{},
	}
}

// Open reads what was kept. What cannot be understood is left out, and told by the error: the watch works all the same, and begins anew.
func (w *Watch) Open(ctx context.Context) error {
	kept, err := w.store.Drift(ctx)
	if err != nil {
		return fmt.Errorf("read drift: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var failed error
	for name, text := range kept {
		if err := w.read(name, text); err != nil {
			failed = fmt.Errorf("read drift: %q: %w", name, err)
		}
	}
	w.measure()
	return failed
}

// read takes in one value that was kept. The caller holds mu.
func (w *Watch) read(name string, text []byte) error {
	date, isDay := strings.CutPrefix(name, dayStart)
	if !isDay {
		var s map[string]*stream
		if err := json.Unmarshal(text, &s); err != nil {
			return err
		}
		maps.DeleteFunc(s, func(_ string, s *stream) bool { return s == nil })
		for _, s := range s {
			maps.DeleteFunc(s.Series, func(_ string, s *series) bool { return s == nil })
		}
		w.streams = s
		return nil
	}
	if _, err := time.Parse(dayForm, date); err != nil {
		return err
	}
	var d day
	if err := json.Unmarshal(text, &d); err != nil {
		return err
	}
	maps.DeleteFunc(d, func(_ string, c *count) bool { return c == nil })
	w.days[date] = d
	return nil
}

// Decided takes in one decision: the answer to a request about a picture, or its refusal.
func (w *Watch) Decided(d *appliance.Decision) {
	list := observed(d)
	if len(list) == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	date := now.In(w.zone).Format(dayForm)
	if date != w.today {
		w.today = date
		w.prune(date)
		w.measure()
	}
	for _, o := range list {
		w.count(date, &o)
		w.watch(now, date, &o)
	}
	w.changed = true
}

// prune drops the oldest days where there are too many. A clock that was ahead for a day costs one day, not all. The caller holds mu.
func (w *Watch) prune(today string) {
	dates := slices.Sorted(maps.Keys(w.days))
	for _, date := range dates[:max(0, len(dates)-DaysMost+1)] {
		if date != today {
			delete(w.days, date)
			delete(w.dirty, date)
			w.dropped[date] = true
		}
	}
}

// measure tells how many documents a day the streams have had lately, on the days on which they had some. The caller holds mu.
func (w *Watch) measure() {
	n, days := map[string]int{}, map[string]int{}
	for _, date := range slices.Backward(slices.Sorted(maps.Keys(w.days))) {
		for name, c := range w.days[date] {
			if days[name] < dailyOver && date != w.today {
				n[name], days[name] = n[name]+c.N, days[name]+1
			}
		}
	}
	w.daily = map[string]float64{}
	for name, days := range days {
		w.daily[name] = float64(n[name]) / float64(days)
	}
}

// yearly is for how many documents a year the limits of a stream are set.
func (w *Watch) yearly(stream string) float64 { return 365 * max(leastDaily, w.daily[stream]) }

// count adds an observation to its day. The caller holds mu.
func (w *Watch) count(date string, o *observation) {
	d := w.days[date]
	if d == nil {
		d = day{}
		w.days[date] = d
	}
	c := d[o.stream]
	if c == nil {
		c = &count{}
		d[o.stream] = c
	}
	if c.Hits == nil {
		c.Hits = map[string]int{}
	}
	c.N++
	for _, h := range o.hits {
		if _, known := c.Hits[h]; !known && len(c.Hits) >= SeriesMost {
			h = other
		}
		c.Hits[h]++
	}
	w.dirty[date] = true
}

// watch adds an observation to the charts of its stream. The caller holds mu.
func (w *Watch) watch(now time.Time, date string, o *observation) {
	s := w.streams[o.stream]
	if s == nil {
		s = &stream{}
		w.streams[o.stream] = s
	}
	if s.Series == nil {
		s.Series = map[string]*series{}
	}
	if s.Last != date && s.Days < LearnDays {
		s.Days++
	}
	s.Last = date
	for _, h := range o.hits {
		if s.Series[h] == nil && len(s.Series) < SeriesMost {
			s.Series[h] = &series{N: s.N}
		}
	}
	learning, yearly := s.learning(), w.yearly(o.stream)
	held := map[string]bool{}
	for _, h := range o.hits {
		held[h] = true
	}
	for name, one := range s.Series {
		hit := held[name]
		if learning || one.N < LearnDocuments {
			one.learn(1, oneIf(hit))
			continue
		}
		if one.family == 0 {
			one.family = idOf(o.stream, name).family()
		}
		one.add(now, hit, one.family, yearly)
	}
	if learning {
		s.N++
	}
}

func oneIf(holds bool) int {
	if holds {
		return 1
	}
	return 0
}

// Flush puts down what was counted since the last one; where nothing was, it writes nothing. What could not be written is written later.
func (w *Watch) Flush(ctx context.Context) error {
	put, drop, err := w.take()
	if err != nil || len(put)+len(drop) == 0 {
		return err
	}
	if err := w.store.KeepDrift(ctx, put, drop); err != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.changed = true
		for name := range put {
			if date, isDay := strings.CutPrefix(name, dayStart); isDay && w.days[date] != nil {
				w.dirty[date] = true
			}
		}
		for _, name := range drop {
			w.dropped[strings.TrimPrefix(name, dayStart)] = true
		}
		return err
	}
	return nil
}

// take writes what has changed as it is to be kept.
func (w *Watch) take() (put map[string][]byte, drop []string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.changed {
		return nil, nil, nil
	}
	put = map[string][]byte{}
	for date := range w.dirty {
		if put[dayStart+date], err = json.Marshal(w.days[date]); err != nil {
			return nil, nil, fmt.Errorf("write drift: %w", err)
		}
	}
	if put[stateKey], err = json.Marshal(w.streams); err != nil {
		return nil, nil, fmt.Errorf("write drift: %w", err)
	}
	for date := range w.dropped {
		drop = append(drop, dayStart+date)
	}
	w.changed = false
	clear(w.dirty)
	clear(w.dropped)
	return put, drop, nil
}
