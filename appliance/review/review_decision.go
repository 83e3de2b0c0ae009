package review

import (
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance"
)

// Verdict is what a person says of a whole review.
type Verdict string

// The verdicts. Confirmed: every value is what is printed, the face check was right. Corrected: some values are others, or the face check
// was wrong. Unreadable: nobody can read this picture. OtherDocument: it does not show what it was read as.
const (
	Confirmed     Verdict = "confirmed"
	Corrected     Verdict = "corrected"
	Unreadable    Verdict = "unreadable"
	OtherDocument Verdict = "other_document"
)

// Verdicts lists the verdicts.
func Verdicts() []Verdict {
	return []Verdict{Confirmed, Corrected, Unreadable, OtherDocument}
}

// Decision is what one person decided about a review.
type Decision struct {
	// By is the name of the API key that the person signed in with.
	By      string
	At      time.Time
	Verdict Verdict
	// Values are what is printed in the fields that were read wrongly, "" for a field that is blank; all others are confirmed.
	Values map[string]string `json:",omitempty"`
	// Unreadable names the fields that nobody can read in this picture.
	Unreadable []string `json:",omitempty"`
	// SamePerson and Living are said of faces alone; nil is no word.
	SamePerson, Living *bool `json:",omitempty"`
}

// reviewersMost bounds how many people decide about one review.
const reviewersMost = 16

// maxReviewValue bounds a corrected value in bytes: the longest printed address has some 200.
const maxReviewValue = 512

// Check says what is wrong with a decision about a review, in words for the person who sent it.
func (d *Decision) Check(r *Review) error {
	if !slices.Contains(Verdicts(), d.Verdict) {
		return appliance.Errorf(appliance.CodeBadRequest, "verdict must be confirmed, corrected, unreadable or other_document")
	}
	changes := len(d.Values)+len(d.Unreadable) > 0
	if r.DecisionBy(d.By) == nil && len(r.Decisions) >= reviewersMost {
		return appliance.Errorf(appliance.CodeBadRequest, "%d people have decided about this review already", reviewersMost)
	}
	if err := d.checkSubject(r.Document == nil, changes); err != nil {
		return err
	}
	fields := r.Fields()
	for name, value := range d.Values {
		if slices.Contains(d.Unreadable, name) {
			return appliance.Errorf(appliance.CodeBadRequest, "a field is both in values and in unreadable: send it in one of them")
		}
		if err := checkReviewed(fields, name, value); err != nil {
			return err
		}
	}
	for _, name := range d.Unreadable {
		if err := checkReviewed(fields, name, ""); err != nil {
			return err
		}
	}
	return nil
}

// checkSubject says what of a decision does not belong to faces, or to a document; changes tells that it corrects fields.
func (d *Decision) checkSubject(faces, changes bool) error {
	switch {
	case faces && changes:
		return appliance.Errorf(appliance.CodeBadRequest, "a face check has no fields: send same_person and living")
	case !faces && (d.SamePerson != nil || d.Living != nil):
		return appliance.Errorf(appliance.CodeBadRequest, "same_person and living are said of face checks alone")
	case faces && d.Verdict == Corrected && d.SamePerson == nil && d.Living == nil:
		return appliance.Errorf(appliance.CodeBadRequest, "say in same_person or living what is right")
	case !faces && (d.Verdict == Corrected) != changes:
		return appliance.Errorf(appliance.CodeBadRequest, "values and unreadable belong to the verdict corrected, and to no other")
	}
	return nil
}

// checkReviewed says what no corrected value may be, by the data model of its document.
func checkReviewed(model []appliance.FieldSpec, name, value string) error {
	i := slices.IndexFunc(model, func(f appliance.FieldSpec) bool { return f.Name == name })
	switch {
	case i < 0:
		return appliance.Errorf(appliance.CodeBadRequest, "a document of this kind has no such field: send the names of its data model")
	case len(value) > maxReviewValue || !utf8.ValidString(value):
		return appliance.Errorf(appliance.CodeBadRequest, "a value is longer than %d bytes: send what is printed", maxReviewValue)
	case strings.ContainsFunc(value, func(r rune) bool {
		return r < ' ' || r == 0x7f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
	}):
		return appliance.Errorf(appliance.CodeBadRequest, "a value holds a control character: send what is printed")
	case model[i].Type == appliance.Date && value != "":
		if _, err := time.Parse(time.DateOnly, value); err != nil {
			return appliance.Errorf(appliance.CodeBadRequest, "a date is not written YYYY-MM-DD")
		}
	}
	return nil
}

// AddDecision puts a decision in the place of what the same person decided before.
func (r *Review) AddDecision(d Decision) {
	r.Decisions = slices.DeleteFunc(r.Decisions, func(o Decision) bool { return o.By == d.By })
	r.Decisions = append(r.Decisions, d)
}

// DecisionBy returns what a person decided, nil where he did not.
func (r *Review) DecisionBy(name string) *Decision {
	for i := range r.Decisions {
		if r.Decisions[i].By == name {
			return &r.Decisions[i]
		}
	}
	return nil
}

// State says how far a review has come.
type State string

// The states. Open: nobody has decided. Decided: one person has, or those who have agree. Disputed: they do not.
const (
	Open     State = "open"
	Decided  State = "decided"
	Disputed State = "disputed"
)

// State is how far the review has come.
func (r *Review) State() State {
	switch {
	case len(r.Decisions) == 0:
		return Open
	case len(r.Outcome().Disputed) > 0:
		return Disputed
	}
	return Decided
}

// The names under which an outcome disputes what is no field.
const (
	DisputedVerdict    = "verdict"
	DisputedSamePerson = "same_person"
	DisputedLiving     = "living"
)

// Outcome is what the people who looked hold for true, by more than half of them.
type Outcome struct {
	// Verdict is "" where no more than half agree.
	Verdict Verdict
	// Values are those of the fields on which more than half agree; Unreadable are those that more than half could not read.
	Values     map[string]string
	Unreadable []string
	// SamePerson and Living are nil where nobody said, or no more than half agree.
	SamePerson, Living *bool
	// Disputed names what no more than half agree on: fields, and the names above.
	Disputed []string
}

// ballot counts what people say about one thing.
type ballot map[string]int

// winner is what more than half of all say.
func (b ballot) winner() (string, bool) {
	all := 0
	for _, n := range b {
		all += n
	}
	for _, said := range slices.Sorted(maps.Keys(b)) {
		if 2*b[said] > all {
			return said, true
		}
	}
	return "", false
}

// Words of a ballot that no value can be: values hold no control character.
const (
	saidUnreadable = "\x00unreadable"
	saidYes        = "\x00yes"
	saidNo         = "\x00no"
)

// Outcome puts the decisions together.
func (r *Review) Outcome() Outcome {
	out := Outcome{Values: map[string]string{}}
	verdicts, fields := ballot{}, map[string]ballot{}
	same, living := ballot{}, ballot{}
	for i := range r.Decisions {
		d := &r.Decisions[i]
		whole := d.Verdict
		if whole == Corrected {
			whole = Confirmed // the fields say what differs
		}
		verdicts[string(whole)]++
		if whole == Confirmed && r.Document != nil {
			d.vote(r, fields)
		}
		d.judge(r, same, living)
	}
	if len(r.Decisions) == 0 {
		return out
	}
	said, agreed := verdicts.winner()
	out.Verdict = Verdict(said)
	if !agreed {
		out.Disputed = append(out.Disputed, DisputedVerdict)
		return out
	}
	if out.Verdict == Confirmed {
		out.settle(r, fields)
		out.SamePerson, out.Living = out.truth(same, DisputedSamePerson), out.truth(living, DisputedLiving)
	}
	return out
}

// vote adds what one person says of each field. Of one that follows from others he says nothing when he changed those and not it: it would
// be confirmed as what it was made from.
func (d *Decision) vote(r *Review, fields map[string]ballot) {
	for _, f := range r.Fields() {
		read := r.Document.Field(f.Name)
		said := read.Value
		value, corrected := d.Values[f.Name]
		if !corrected && slices.ContainsFunc(read.DerivedFrom, d.changes) {
			continue
		}
		if corrected {
			said = value
		}
		if slices.Contains(d.Unreadable, f.Name) {
			said = saidUnreadable
		}
		if fields[f.Name] == nil {
			fields[f.Name] = ballot{}
		}
		fields[f.Name][said]++
	}
}

// changes reports whether the decision says something else of a field than what was read.
func (d *Decision) changes(field string) bool {
	_, corrected := d.Values[field]
	return corrected || slices.Contains(d.Unreadable, field)
}

// judge adds what one person says of the faces: what he confirms is what was answered.
func (d *Decision) judge(r *Review, same, living ballot) {
	answered, live := (*bool)(nil), (*bool)(nil)
	switch {
	case r.Match != nil:
		answered = &r.Match.IsMatched
	case r.Liveness != nil:
		answered, live = &r.Liveness.IsMatched, &r.Liveness.IsLive
	}
	for _, q := range []struct {
		b        ballot
		said, by *bool
	}{{same, d.SamePerson, answered}, {living, d.Living, live}} {
		if q.said == nil && d.Verdict == Confirmed {
			q.said = q.by
		}
		switch {
		case q.said == nil:
		case *q.said:
			q.b[saidYes]++
		default:
			q.b[saidNo]++
		}
	}
}

// settle draws the fields of the outcome from the ballots.
func (o *Outcome) settle(r *Review, fields map[string]ballot) {
	for _, f := range r.Fields() {
		said, agreed := fields[f.Name].winner()
		switch {
		case len(fields[f.Name]) == 0:
		case !agreed:
			o.Disputed = append(o.Disputed, f.Name)
		case said == saidUnreadable:
			o.Unreadable = append(o.Unreadable, f.Name)
		default:
			o.Values[f.Name] = said
		}
	}
}

// truth draws one answer about faces from its ballot.
func (o *Outcome) truth(b ballot, name string) *bool {
	if len(b) == 0 {
		return nil
	}
	said, agreed := b.winner()
	if !agreed {
		o.Disputed = append(o.Disputed, name)
		return nil
	}
	yes := said == saidYes
	return &yes
}

// Mentions reports whether a review is about the person of a national or passport number: as it was read, as the zone carries it, or as
// people corrected it. Blanks do not count, and neither does the case of letters.
func (r *Review) Mentions(number string) bool {
	if r.Document == nil {
		return false
	}
	return r.Document.Mentions(number) || slices.ContainsFunc(r.Decisions, func(d Decision) bool {
		return slices.ContainsFunc(r.Document.NumberFields(), func(name string) bool {
			return d.Values[name] != "" && appliance.PlainNumber(d.Values[name]) == appliance.PlainNumber(number)
		})
	})
}
