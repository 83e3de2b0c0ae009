package review_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/review"
)

// shownID is an ID with a number and a name.
func shownID() appliance.Document {
	return appliance.Document{
		Kind: appliance.NationalIDFront,
		Fields: []appliance.Field{
			{Name: "idNumber", Value: "29001010100017"},
			{Name: "first_name", Value: "منى"},
			{Name: "dateOfBirth", Value: "1990-01-01"},
		},
	}
}

// More than half of those who looked decide, field by field; what no more than half agree on is named as disputed and has no value.
func TestReviewOutcome(t *testing.T) {
	type all = []review.Decision
	const right, decided, disputed = review.Confirmed, review.Decided, review.Disputed
	doc := shownID()
	yes, no := true, false
	confirm := review.Decision{Verdict: review.Confirmed}
	renamed := review.Decision{Verdict: review.Corrected, Values: map[string]string{"first_name": "مها"}}
	blurred := review.Decision{Verdict: review.Corrected, Unreadable: []string{"first_name"}}
	other := review.Decision{Verdict: review.OtherDocument}
	for name, c := range map[string]struct {
		said     []review.Decision
		state    review.State
		first    string
		disputed []string
		verdict  review.Verdict
	}{
		"nobody":            {state: review.Open},
		"one confirms":      {said: all{confirm}, state: decided, first: "منى", verdict: right},
		"one corrects":      {said: all{renamed}, state: decided, first: "مها", verdict: right},
		"two differ":        {said: all{confirm, renamed}, state: disputed, disputed: []string{"first_name"}, verdict: right},
		"two against one":   {said: all{renamed, confirm, renamed}, state: decided, first: "مها", verdict: right},
		"unreadable":        {said: all{blurred}, state: decided, verdict: right},
		"verdicts differ":   {said: all{confirm, other}, state: disputed, disputed: []string{review.DisputedVerdict}},
		"another document":  {said: all{other}, state: decided, verdict: review.OtherDocument},
		"three ways, three": {said: all{confirm, renamed, blurred}, state: disputed, disputed: []string{"first_name"}, verdict: right},
	} {
		r := review.Review{Kind: doc.Kind, Document: &doc}
		for i, d := range c.said {
			d.By = string(rune('a' + i))
			if err := d.Check(&r); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			r.AddDecision(d)
		}
		got := r.Outcome()
		if r.State() != c.state || got.Values["first_name"] != c.first || !slices.Equal(got.Disputed, c.disputed) || got.Verdict != c.verdict {
			t.Errorf("%s: %s, %+v", name, r.State(), got)
		}
	}
	faces := review.Review{Kind: appliance.ReviewLiveness, Liveness: &appliance.Liveness{IsLive: false, IsMatched: true}}
	faces.AddDecision(review.Decision{By: "a", Verdict: review.Corrected, Living: &yes})
	faces.AddDecision(review.Decision{By: "b", Verdict: review.Corrected, Living: &yes, SamePerson: &no})
	if got := faces.Outcome(); got.Living == nil || !*got.Living || got.SamePerson == nil || *got.SamePerson {
		t.Errorf("faces: %+v", got)
	}
	faces.AddDecision(review.Decision{By: "b", Verdict: review.Confirmed})
	if got := faces.Outcome(); !slices.Equal(got.Disputed, []string{review.DisputedLiving}) || faces.State() != review.Disputed {
		t.Errorf("faces that two judge otherwise: %+v", got)
	}
}

// A decision with a field that the kind lacks, a value that no card prints, or members of another kind of review is refused.
func TestReviewDecisionChecked(t *testing.T) {
	doc, yes := shownID(), true
	r := review.Review{Kind: doc.Kind, Document: &doc}
	faces := review.Review{Kind: appliance.ReviewMatch, Match: &appliance.FaceMatch{}}
	value := func(name, value string) review.Decision {
		return review.Decision{Verdict: review.Corrected, Values: map[string]string{name: value}}
	}
	for name, c := range map[string]struct {
		of *review.Review
		d  review.Decision
	}{
		"no verdict":          {&r, review.Decision{}},
		"nothing corrected":   {&r, review.Decision{Verdict: review.Corrected}},
		"confirmed otherwise": {&r, review.Decision{Verdict: review.Confirmed, Values: map[string]string{"first_name": "مها"}}},
		"unknown field":       {&r, value("passport_no", "A1")},
		"control character":   {&r, value("first_name", "a\nb")},
		"bidi override":       {&r, value("first_name", "a\u202eb")},
		"too long":            {&r, value("first_name", string(bytes.Repeat([]byte("a"), 600)))},
		"no date":             {&r, value("dateOfBirth", "1990-13-01")},
		"twice": {&r, review.Decision{
			Verdict: review.Corrected, Values: map[string]string{"first_name": "a"}, Unreadable: []string{"first_name"},
		}},
		"a face":            {&r, review.Decision{Verdict: review.Confirmed, Living: &yes}},
		"a field of a face": {&faces, value("first_name", "a")},
		"a face corrected":  {&faces, review.Decision{Verdict: review.Corrected}},
	} {
		if err := c.d.Check(c.of); appliance.CodeOf(err) != appliance.CodeBadRequest {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A person is found by his number as it was read, as somebody corrected it and as a passport's zone carries it, and by no other.
func TestReviewMentions(t *testing.T) {
	doc := shownID()
	r := review.Review{Kind: doc.Kind, Document: &doc}
	r.AddDecision(
		review.Decision{By: "a", Verdict: review.Corrected, Values: map[string]string{"idNumber": "29001010100025"}},
	)
	passport := review.Review{Kind: appliance.Passport, Document: &appliance.Document{
		Kind: appliance.Passport, PersonalNumber: "29001010100033", Fields: []appliance.Field{{Name: "passport_no", Value: "A00000001"}},
	}}
	of := review.Review{Kind: "club_card", Document: &appliance.Document{ // a kind that a model set brings
		Kind: "club_card", Model: []appliance.FieldSpec{{Name: "member"}}, Fields: []appliance.Field{{Name: "member", Value: "A00000001"}},
	}}
	for number, want := range map[string][3]bool{
		"29001010100017": {true, false, false}, "2900101 0100025": {true, false, false}, "29001010100033": {false, true, false},
		"a00000001": {false, true, true}, "": {}, "1": {}, "منى": {},
	} {
		if got := [3]bool{r.Mentions(number), passport.Mentions(number), of.Mentions(number)}; got != want {
			t.Errorf("%q: %v", number, got)
		}
	}
}

// A field that follows from others is not confirmed by whoever corrects those alone.
func TestReviewDerivedFields(t *testing.T) {
	doc := shownID()
	doc.Fields = append(doc.Fields, appliance.Field{Name: "name", Value: "منى على", DerivedFrom: []string{"first_name", "last_names"}})
	r := review.Review{Kind: doc.Kind, Document: &doc}
	say := func(values map[string]string) map[string]string {
		r.Decisions = nil
		r.AddDecision(review.Decision{By: "a", Verdict: review.Corrected, Values: values})
		return r.Outcome().Values
	}
	if got, ok := say(map[string]string{"first_name": "مها"})["name"]; ok {
		t.Errorf("the name is confirmed as %q", got)
	}
	if got := say(map[string]string{"first_name": "مها", "name": "مها على"})["name"]; got != "مها على" {
		t.Errorf("the name is %q", got)
	}
	if got := say(map[string]string{"idNumber": "29001010100025"})["name"]; got != "منى على" {
		t.Errorf("the name is %q", got)
	}
}
