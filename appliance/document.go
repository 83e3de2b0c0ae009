package appliance

import "slices"

// Point is a place in the caller's picture in pixels, after EXIF orientation: x to the right, y down, the centre
// of the first pixel at (0.5, 0.5).
type Point struct{ X, Y float64 }

// Quad is a four-sided region: top left, top right, bottom right, bottom left of the upright content.
// The zero Quad means that the place is not known.
type Quad [4]Point

// Contains reports whether p lies in a convex q.
func (q Quad) Contains(p Point) bool {
	for i, a := range q {
		b := q[(i+1)%4]
		if (b.X-a.X)*(p.Y-a.Y)-(b.Y-a.Y)*(p.X-a.X) < 0 {
			return false
		}
	}
	return true
}

// Outline is the place of a document in the caller's picture and what it is.
type Outline struct {
	Kind Kind
	Quad Quad
}

// Capture says how well a picture shows a document. The figures explain the verdicts; Advice is for the person.
type Capture struct {
	// Sharpness is 0 where nothing can be made out, and the greater the sharper the text is.
	Sharpness float64
	// Glare is the share of the document, 0 to 1, in which light has washed out the text.
	Glare float64
	// CutOff: part of the document lies outside the picture. Covered: part of it lies under other documents. TooSmall: its
	// print has too few pixels. Blurred and Glared: the figures are beyond what can be read reliably.
	CutOff, Covered, TooSmall, Blurred, Glared bool
	// Advice is one sentence that says what to change for the next picture, "" when nothing needs to be.
	Advice string
}

// Document is one document found in a picture.
type Document struct {
	Kind Kind
	// Quad outlines the document in the caller's picture.
	Quad Quad
	// Capture is how well the picture shows the document. Records do not keep it: it only concerns the next picture.
	Capture Capture `json:"-"`
	// Model is the data model of a kind that a model pack brings; nil for the kinds of the contract, which have theirs by name. It stays with
	// the record, so that this can be read when the pack is gone.
	Model []FieldSpec `json:",omitempty"`
	// Fields holds what was read, each name at most once; fields of the model that are missing were not read.
	Fields []Field
	// Validations lists what is wrong with single fields or, under the empty field name, with the document.
	Validations []Validation
	// Cues are named signs of fraud with their scores; Fake is the verdict over them.
	Cues []Cue
	Fake bool
	// PersonalNumber is the holder's national number as the zone of an Egyptian passport carries it, "" where none was read surely.
	// It tells whose the document is: no answer holds it.
	PersonalNumber string `json:",omitempty"`
	// Zone holds the lines of the machine readable zone as they were read, for the evidence; nil where there is none. Records do not keep it.
	Zone []string `json:"-"`
	// Mismatch is how strongly, 0 to 1, what is printed on a passport disagrees with its zone. Records keep the cue that follows from it.
	Mismatch float64 `json:"-"`
	// Portrait is the face on an identity document; nil on other kinds and where the picture shows none that can be compared.
	// It stays in the record: no answer holds it.
	Portrait *Portrait `json:",omitempty"`
}

// Field is the value of one model field with the evidence behind it.
type Field struct {
	Name  string
	Value string
	// Confidence is the calibrated probability, 0 to 1, that Value is what is printed.
	Confidence float64
	// Characters holds the same for each character of Value, where the reader knows it; nil otherwise.
	Characters []float64
	// Quad is the printed place in the caller's picture; zero for a derived field.
	Quad Quad
	// Raw is what the network read before grammar and knowledge.
	Raw string
	// DerivedFrom names the model fields that Value follows from ("idNumber" for a birth date that was taken from the
	// number); empty for a value that is printed itself.
	DerivedFrom []string
	// Repairs says in words what knowledge changed ("position 3: O read as 0, check digit").
	Repairs []string
	// Checks lists the checks made on the value.
	Checks []FieldCheck
}

// PrintedCheck is the check whether a passport's page prints what its zone says.
const PrintedCheck = "printed"

// FieldCheck is one named check on a field's value.
type FieldCheck struct {
	Name   string
	Passed bool
}

// Cue is one sign of document fraud; Score runs from 0 (none) to 1.
type Cue struct {
	Name  string
	Score float64
	// Threshold is the score from which the sign counts as fraud; 0 stands for a sign that is only reported. Records do
	// not keep it: they keep the verdict.
	Threshold float64 `json:"-"`
	// NotJudged says why the picture does not report whether the sign is there, "" where it does. Such a sign never counts.
	NotJudged string `json:"-"`
}

// Raised reports whether the sign counts as fraud.
func (c Cue) Raised() bool { return c.NotJudged == "" && c.Threshold > 0 && c.Score >= c.Threshold }

// NumberInconsistent is the cue that the national number disagrees with the printed birth date, the printed gender or
// the other side of the card.
const NumberInconsistent = "number_inconsistent"

// Raise lifts the score of a cue that the document was examined for.
func (d *Document) Raise(name string, score float64) {
	for i := range d.Cues {
		if d.Cues[i].Name == name {
			d.Cues[i].Score = max(d.Cues[i].Score, score)
		}
	}
}

// JudgeFraud draws the verdict from the cues.
func (d *Document) JudgeFraud() {
	d.Fake = d.Fake || slices.ContainsFunc(d.Cues, Cue.Raised)
}

// Field returns the named field, or a zero Field with that name.
func (d *Document) Field(name string) Field {
	for _, f := range d.Fields {
		if f.Name == name {
			return f
		}
	}
	return Field{Name: name}
}

// Saying is the field that says something, the first where the kind says it in several; a zero Field where it says no such thing.
func (d *Document) Saying(m Meaning) Field {
	if names := d.Kind.Saying(m); len(names) > 0 {
		return d.Field(names[0])
	}
	return Field{}
}

// Line is one line of general text in reading order, in logical character order.
type Line struct {
	Text string
	// Confidence is the calibrated probability, 0 to 1, that all of Text is what is printed.
	Confidence float64
	// Code is CodeLowConfidence for a line to be doubted, CodeUnreadable for one that was seen and cannot be read, 0 for others.
	Code Code
	Quad Quad
}
