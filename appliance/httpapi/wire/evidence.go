package wire

import "github.com/bawab/bawab/appliance"

// evidence writes what stands behind each field of a document, how well the picture shows it, what else the picture
// shows, and the signs of fraud. Places are four corners in pixels of the caller's picture.
func (w *Writer) evidence(d *appliance.Document, model appliance.Kind, others []appliance.Outline) {
	w.Name("evidence").Begin()
	w.Name("document").Begin()
	w.Name("quad").quad(d.Quad)
	w.Close()
	w.Name("capture").capture(d.Capture)
	w.others(others)
	w.Name("fields").Begin()
	for _, spec := range d.Specs(model) {
		w.Name(spec.Name).field(d.Field(spec.Name))
	}
	w.Close()
	if d.Zone != nil {
		w.Name("mrz").Texts(d.Zone)
	}
	w.Name("cues").cues(d.Cues)
	w.Close()
}

// cues writes named signs with their scores.
func (w *Writer) cues(list []appliance.Cue) {
	w.Open()
	for _, c := range list {
		w.Begin()
		w.Name("name").Text(c.Name)
		w.Name("score").Number(c.Score)
		w.Name("threshold").Number(c.Threshold)
		if c.NotJudged != "" {
			w.Name("not_judged").Text(c.NotJudged)
		}
		w.Close()
	}
	w.Shut()
}

// othersEvidence writes what a picture of several documents shows beside those that were read.
func (w *Writer) othersEvidence(others []appliance.Outline) {
	w.Name("evidence").Begin()
	w.others(others)
	w.Close()
}

func (w *Writer) others(others []appliance.Outline) {
	w.Name("others").Open()
	for _, o := range others {
		w.Begin()
		w.Name("doc_type").Text(string(o.Kind))
		w.Name("quad").quad(o.Quad)
		w.Close()
	}
	w.Shut()
}

func (w *Writer) capture(c appliance.Capture) {
	w.Begin()
	w.Name("sharpness").Number(c.Sharpness)
	w.Name("glare").Number(c.Glare)
	w.Name("cut_off").Truth(c.CutOff)
	w.Name("covered").Truth(c.Covered)
	w.Name("too_small").Truth(c.TooSmall)
	w.Name("blurred").Truth(c.Blurred)
	w.Name("glared").Truth(c.Glared)
	w.Name("advice").Text(appliance.Phrasef(c.Advice).In(w.Language))
	w.Close()
}

func (w *Writer) field(f appliance.Field) {
	w.Begin()
	w.Name("quad").quad(f.Quad)
	w.Name("confidence").Number(f.Confidence)
	w.Name("characters").Open()
	for _, c := range f.Characters {
		w.Number(c)
	}
	w.Shut()
	w.Name("raw").Text(f.Raw)
	w.Name("derived_from").Texts(f.DerivedFrom)
	w.Name("repairs").Texts(f.Repairs)
	w.Name("checks").Open()
	for _, c := range f.Checks {
		w.Begin()
		w.Name("name").Text(c.Name)
		w.Name("passed").Truth(c.Passed)
		w.Close()
	}
	w.Shut()
	w.Close()
}

// lineEvidence writes the place and confidence of each line of general text, in the order of data.lines.
func (w *Writer) lineEvidence(lines []appliance.Line) {
	w.Name("evidence").Begin()
	w.Name("lines").Open()
	for _, l := range lines {
		w.Begin()
		w.Name("quad").quad(l.Quad)
		w.Name("confidence").Number(l.Confidence)
		w.Close()
	}
	w.Shut()
	w.Close()
}

// quad writes [[x,y],[x,y],[x,y],[x,y]], or null for a place that is not known.
func (w *Writer) quad(q appliance.Quad) {
	if q == (appliance.Quad{}) {
		w.Null()
		return
	}
	w.Open()
	for _, p := range q {
		w.Open()
		w.Number(p.X)
		w.Number(p.Y)
		w.Shut()
	}
	w.Shut()
}
