package drift

import (
	"slices"
	"strconv"

	"github.com/bawab/bawab/appliance"
)

// warningsMost is how many rises are warned of one by one: where everything becomes worse, the first ones say enough.
const warningsMost = 5

// Warnings are the lasting conditions of the rises that hold, as Alarms orders them. What follows from another one is left out: a code
// where a field of the same kind says it already, a field in doubt where it is missing.
func (w *Watch) Warnings() []appliance.Warning {
	alarms := w.Alarms()
	fields, missing := map[string]bool{}, map[string]bool{}
	for i := range alarms {
		if s := &alarms[i]; s.Measure == Empty || s.Measure == Doubted {
			fields[s.Kind] = true
			missing[s.Kind+"."+s.Of] = missing[s.Kind+"."+s.Of] || s.Measure == Empty
		}
	}
	var out []appliance.Warning
	for i := range alarms {
		s := &alarms[i]
		if s.Measure == Coded && fields[s.Kind] || s.Measure == Doubted && missing[s.Kind+"."+s.Of] || len(out) >= warningsMost {
			continue
		}
		said := w.Say(s)
		_, hint := appliance.WarnDrift.Text(appliance.English)
		out = append(out, appliance.Warning{Code: appliance.WarnDrift, Msg: said.String(), Hint: hint, Said: &said})
	}
	return out
}

// Say tells of the rise of a series that has an alarm.
func (w *Watch) Say(s *Series) appliance.Phrase {
	a, at := s.Alarm, s.Alarm.Since.In(w.zone)
	since := []any{
		appliance.Named("kind", s.Kind), appliance.Named("day", at.Weekday().String()), strconv.Itoa(at.Day()),
		appliance.Named("month", at.Month().String()),
	}
	figures := []any{percent(a.Rate), percent(a.Before), times(a.Ratio)}
	worse := func(format string, what ...any) appliance.Phrase {
		return appliance.Phrasef(format, slices.Concat(since, what, figures)...)
	}
	switch field := appliance.Named("field", s.Of); {
	case s.Measure == Empty:
		return worse("%s, since %s %s %s: no %s on %s of the documents instead of %s (%s times): a new card design, or the lens?", field)
	case s.Measure == Doubted:
		return worse("%s, since %s %s %s: %s in doubt on %s of the documents instead of %s (%s times): a new card design, or the lens?", field)
	case s.Measure == Coded && s.Of == AnyCode:
		return worse("%s, since %s %s %s: a doubt on %s of the documents instead of %s (%s times): a new card design, or the lens?")
	case s.Measure == Coded:
		return worse("%s, since %s %s %s: code %s on %s of the documents instead of %s (%s times): a new card design, or the lens?", s.Of)
	case s.Measure == Refused:
		return worse("%s, since %s %s %s: refused with %s are %s of the pictures instead of %s (%s times): the lens, the light, or other cards?",
			s.Of)
	}
	return worse("%s, since %s %s %s: not passed for %s are %s of the checks instead of %s (%s times): the lens, the light, or an attack?",
		s.Of)
}

// percent writes a share as people read it.
func percent(p float64) string {
	digits := 0
	if p > 0 && p < 0.1 {
		digits = 1
	}
	return strconv.FormatFloat(100*p, 'f', digits, 64) + " %"
}

// times writes a ratio with as many digits as it is known by.
func times(ratio float64) string {
	if ratio >= 10 {
		return strconv.FormatFloat(ratio, 'f', 0, 64)
	}
	return strconv.FormatFloat(ratio, 'f', 1, 64)
}
