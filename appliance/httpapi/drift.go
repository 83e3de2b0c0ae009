package httpapi

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/drift"
	"github.com/bawab/bawab/appliance/httpapi/route"
	"github.com/bawab/bawab/appliance/httpapi/wire"
)

const (
	// driftDays is how many days the history of the counts has unless it is asked for another number.
	driftDays = 60
	// driftBytes bounds the body of an acknowledgement: the name of a series.
	driftBytes = 1 << 10
)

// driftRoutes names the paths of the counts. All want the scope admin.
func (s *Server) driftRoutes() {
	s.app.Get("/v1/drift", s.frame.Handle(s.drift))
	s.app.Post("/v1/drift/acknowledge", s.frame.Handle(s.acknowledgeDrift))
}

// countDrift counts what a request was answered. Nothing of whom it concerns is kept.
func (s *Server) countDrift(x *route.Exchange) {
	if s.deps.Drift == nil || x.Key == "" && !x.Stands {
		return
	}
	d := x.Decision
	if !x.Stands {
		route, ours := strings.CutPrefix(x.Route, "/v1/")
		if !ours {
			return
		}
		d.Endpoint, d.Code = appliance.Endpoint(route), x.Code
	}
	s.deps.Drift.Decided(&d)
}

// driftAdmin checks the key of a request about the counts.
func (s *Server) driftAdmin(c *fiber.Ctx, x *route.Exchange) error {
	if err := s.gate.Authorize(c, &x.Visitor, appliance.ScopeAdmin); err != nil {
		return err
	}
	x.Noted = true
	if s.deps.Drift == nil {
		return appliance.Errorf(appliance.CodeNotBuilt, "this appliance counts no readings")
	}
	return nil
}

// drift answers how often what was counted held, day by day, and what has become worse.
func (s *Server) drift(c *fiber.Ctx, x *route.Exchange) error {
	if err := s.driftAdmin(c, x); err != nil {
		return err
	}
	days, err := askedNumber(c, "days", driftDays, drift.DaysMost)
	if err != nil {
		return err
	}
	kind, err := asked(c, "kind", "")
	if err != nil {
		return err
	}
	kinds := s.deps.Drift.Kinds()
	if kind != "" && !slices.Contains(kinds, kind) {
		return appliance.Errorf(appliance.CodeBadRequest, "kind must be one of those that the answer lists in kinds")
	}
	w := wire.NewWriter()
	w.Language = x.Language
	w.Begin()
	w.Name("data").Begin()
	w.Name("kinds").Texts(kinds)
	w.Name("alarms").Open()
	for _, one := range s.deps.Drift.Alarms() {
		series(w, &one, s.deps.Drift)
	}
	w.Shut()
	w.Name("series").Open()
	for _, one := range s.deps.Drift.History(kind, days) {
		series(w, &one, s.deps.Drift)
	}
	w.Shut()
	w.Close()
	return route.Succeed(c, w.Plain())
}

// series writes one series; alarm is null where its share is what it was.
func series(w *wire.Writer, s *drift.Series, watch *drift.Watch) {
	w.Begin()
	w.Name("id").Text(string(s.ID))
	w.Name("kind").Text(s.Kind)
	w.Name("measure").Text(string(s.Measure))
	w.Name("of").Text(s.Of)
	w.Name("documents").Integer(int64(s.Documents))
	w.Name("hits").Integer(int64(s.Hits))
	w.Name("learning").Truth(s.Learning)
	w.Name("alarm")
	if a := s.Alarm; a != nil {
		w.Begin()
		w.Name("since").Time(a.Since)
		w.Name("documents").Integer(int64(a.N))
		w.Name("hits").Integer(int64(a.Hits))
		w.Name("ratio").Number(a.Ratio)
		w.Name("message").Text(watch.Say(s).In(w.Language))
		w.Name("cause").Texts(namesOf(watch.Cause(s.ID)))
		w.Close()
	} else {
		w.Null()
	}
	w.Name("days").Open()
	for _, d := range s.Days {
		w.Begin()
		w.Name("date").Text(d.Date)
		w.Name("documents").Integer(int64(d.N))
		w.Name("hits").Integer(int64(d.Hits))
		w.Close()
	}
	w.Shut()
	w.Close()
}

func namesOf(ids []drift.ID) []string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = string(id)
	}
	return names
}

// acknowledgeDrift takes the share that a series has now for what is to be expected, or those of all series that rose with it. It is on
// disk and in the journal before the answer leaves.
func (s *Server) acknowledgeDrift(c *fiber.Ctx, x *route.Exchange) error {
	if err := s.driftAdmin(c, x); err != nil {
		return err
	}
	body, err := s.frame.Read(c, x, driftBytes)
	if err != nil {
		return err
	}
	series, whole := "", false
	err = s.frame.Parse(c, x, body, []string{"series", "cause"}, func(m wire.Members) error {
		text, err := m.Text("series")
		if err != nil {
			return err
		}
		series = string(text)
		whole, err = m.Truth("cause")
		return err
	})
	if err != nil {
		return err
	}
	cause := []drift.ID{drift.ID(series)}
	if whole {
		cause = s.deps.Drift.Cause(cause[0])
	}
	for _, id := range cause {
		if err := s.acknowledgeSeries(x, id); err != nil {
			return err
		}
	}
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Name("series").Text(series)
	w.Name("learning").Truth(true)
	w.Name("acknowledged").Texts(namesOf(cause))
	w.Close()
	return route.Succeed(c, w.Plain())
}

// acknowledgeSeries lets one series learn anew.
func (s *Server) acknowledgeSeries(x *route.Exchange, id drift.ID) error {
	ctx := context.WithoutCancel(s.frame.Work)
	before, err := s.deps.Drift.Acknowledge(id)
	if err != nil {
		return err
	}
	if err := s.deps.Drift.Flush(ctx); err != nil {
		return err
	}
	detail := map[string]string{
		"key": x.Key, "request": x.ID, "hits": strconv.Itoa(before.Hits), "documents": strconv.Itoa(before.Documents),
	}
	return s.frame.Note(appliance.Entry{Kind: appliance.EntryDriftAcknowledged, Subject: string(id), Detail: detail})
}
