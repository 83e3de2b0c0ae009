package mrz

// explain fills in what the reading owes to repair: the list, the caps on confidence and the reasons for doubt.
func (d *decoder) explain(r *Reading) {
	for line := range r.Lines {
		for pos := range r.Lines[line] {
			from, to := r.Raw[line][pos], r.Lines[line][pos]
			r.LogProb += d.sights[line][pos].logProb(d.cell(line, pos), to)
			if from != to {
				r.Repairs = append(r.Repairs, Repair{line, pos, from, to, d.why(r, line, pos)})
			}
		}
	}
	l := d.format.layout().resolve(r.Lines)
	for _, f := range []struct {
		field *Field
		spans [3]span
	}{
		{&r.DocumentCode, [3]span{l.code}},
		{&r.IssuingState, [3]span{l.state}},
		{&r.DocumentNumber, [3]span{l.number, l.continuation, l.numberCheck}},
		{&r.Nationality, [3]span{l.nationality}},
		{&r.BirthDate, [3]span{l.birth, l.birthCheck}},
		{&r.Sex, [3]span{l.sex}},
		{&r.ExpiryDate, [3]span{l.expiry, l.expiryCheck}},
		{&r.Optional, [3]span{l.optional, l.optionalCheck}},
		{&r.Optional2, [3]span{l.optional2}},
		{&r.Surname, [3]span{r.Surname.span()}},
		{&r.GivenNames, [3]span{r.GivenNames.span()}},
	} {
		d.judge(r, f.field, f.spans)
	}
}

// span is where the field stands.
func (f *Field) span() span { return span{f.Line, f.Start, f.End} }

// holds reports whether a position lies in the span.
func (s span) holds(line, pos int) bool { return line == s.line && pos >= s.start && pos < s.end }

// judge gives a field its repairs, caps its confidence and names what is doubtful about it.
func (d *decoder) judge(r *Reading, f *Field, spans [3]span) {
	againstInk := false
	for _, repair := range r.Repairs {
		inside := false
		for _, s := range spans {
			inside = inside || s.holds(repair.Line, repair.Pos)
		}
		if !inside {
			continue
		}
		f.Repairs = append(f.Repairs, repair)
		if repair.Why == WhyCheckDigit || repair.Why == WhyDate {
			q := d.sights[repair.Line][repair.Pos].belief[Index(repair.To)]
			againstInk = againstInk || q < overruled
		}
	}
	if againstInk {
		f.Confidence = min(f.Confidence, cappedConfidence)
	}
	if f.CheckOK == Failed {
		f.Confidence = min(f.Confidence, failedConfidence)
	}
	switch {
	case f.Reason != "":
	case againstInk:
		f.Reason = ReasonOverruled
	case f.unsure() && f.CheckOK != Failed:
		f.Reason = ReasonAmbiguous
	}
}

// why is the reason for which a position differs from its ink.
func (d *decoder) why(r *Reading, line, pos int) string {
	l := &d.layout
	if !r.Format.Class(line, pos).Has(r.Raw[line][pos]) {
		return WhyClass
	}
	switch {
	case l.name.holds(line, pos), l.given.holds(line, pos):
		return WhyShape
	case l.code.holds(line, pos), l.state.holds(line, pos), l.nationality.holds(line, pos):
		return WhyState
	case l.birth.holds(line, pos) && d.rawImpossible(r, l.birth), l.expiry.holds(line, pos) && d.rawImpossible(r, l.expiry):
		return WhyDate
	case d.shaped[line][pos] == r.Lines[line][pos]:
		return WhyShape
	}
	return WhyCheckDigit
}

// rawImpossible reports whether the best symbols of a date make no day of any year.
func (d *decoder) rawImpossible(r *Reading, at span) bool {
	_, reason := parseDate(at.text(r.Raw), func(int, int, int) int { return 2000 })
	return reason == ReasonImpossibleDate
}
