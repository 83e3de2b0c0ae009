// Package kiosk leads a customer at a kiosk's screen through one check: which step comes next, what the screen may show, and when
// everything is erased. It knows no screen and no route: appliance/httpapi asks it on behalf of the page.
//
// The page is trusted with nothing. The order of the steps, the fields that may be shown and the time-outs are held here, so that a
// browser that was closed, lost or tampered with leaves no data behind and passes no step.
package kiosk

import (
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
)

// Step is where a check stands.
type Step string

// The steps in the order of the flow. The last two end it.
const (
	Welcome   Step = "welcome"
	Front     Step = "front"
	Back      Step = "back"
	Check     Step = "check"
	Face      Step = "face"
	Done      Step = "done"
	Colleague Step = "colleague" // somebody of the staff must look at it
)

// Outcome is how a check ended, as the integrator hears it.
type Outcome string

// The outcomes. The transactions of the first two stay until store.ttl, those of the others are erased.
const (
	OutcomeDone      Outcome = "done"
	OutcomeColleague Outcome = "colleague"
	OutcomeStopped   Outcome = "stopped" // by the customer, or by a page that was loaded again or left
	OutcomeTimeout   Outcome = "timed_out"
)

// kept reports whether the transaction stays for the integrator.
func (o Outcome) kept() bool { return o == OutcomeDone || o == OutcomeColleague }

// Flow is what the bank wants of a check.
type Flow struct {
	// Kinds are the documents that are taken: national_id, passport, driving_license.
	Kinds []string
	// Steps are those that follow the front: back, check, face.
	Steps []string
	// Show names the fields that may reach the screen, Must those that have to be read without a code.
	Show, Must []string
	// Attempts is how many readings, or looks at a face, a step has.
	Attempts int
	// Timeout ends a step.
	Timeout time.Duration
}

// endpoint reads one side of a kind of document.
func endpoint(kind string, step Step) appliance.Endpoint {
	switch {
	case kind == "passport":
		return appliance.EndpointPassport
	case kind == "driving_license":
		return appliance.EndpointDrivingLicense
	case step == Back:
		return appliance.EndpointIDBack
	}
	return appliance.EndpointIDFront
}

// after is the step that follows another one; only IDs have a back that the kiosk reads.
func (f Flow) after(kind string, s Step) Step {
	order := []Step{Front, Back, Check, Face}
	for _, next := range order[slices.Index(order, s)+1:] {
		if slices.Contains(f.Steps, string(next)) && (next != Back || kind == "national_id") {
			return next
		}
	}
	return Done
}

// verdict is what a reading means for the flow.
type verdict int

const (
	good verdict = iota
	again
	doubtful // no further picture helps: a person must look
)

// judge says what one document means for the flow, and the code that the customer hears about, 0 for none. An unsure reading may be mended
// by another picture; a document that has expired, belongs to another holder or looks forged may not, and the screen does not say which
// of these it is.
func (f Flow) judge(d *appliance.Document, e appliance.Endpoint) (verdict, appliance.Code) {
	if d.Kind != e.Kind() {
		return again, appliance.CodeOtherDocument
	}
	if d.Fake {
		return doubtful, 0
	}
	var unsure appliance.Code
	for _, v := range d.Validations {
		for _, code := range v.Errors {
			switch code {
			case appliance.CodeExpired, appliance.CodeNumberDiffers, appliance.CodeNameDiffers, appliance.CodeOtherHolder:
				return doubtful, 0
			}
			if unsure == 0 && slices.Contains(f.Must, v.Field) {
				unsure = code
			}
		}
	}
	for _, name := range f.Must {
		has := slices.ContainsFunc(e.Kind().Model(), func(s appliance.FieldSpec) bool { return s.Name == name })
		if unsure == 0 && has && d.Field(name).Value == "" {
			unsure = appliance.CodeUnreadable
		}
	}
	if unsure != 0 {
		return again, unsure
	}
	return good, 0
}

// Field is a value that the customer may see.
type Field struct{ Name, Value string }

// shown are the fields of a document that may reach the screen, in the order of the configuration.
func (f Flow) shown(d *appliance.Document) (out []Field) {
	for _, name := range f.Show {
		if v := d.Field(name).Value; v != "" {
			out = append(out, Field{name, v})
		}
	}
	return out
}
