package httpapi

import "github.com/bawab/bawab/appliance"

// evidence writes what stands behind each field of a document, how well the picture shows it, what else the picture
// shows, and the signs of fraud. Places are four corners in pixels of the caller's picture.
func (w *writer) evidence(d *appliance.Document, model appliance.Kind, others []appliance.Outline) {
	w.name("evidence").begin()
	w.name("document").begin()
	w.name("quad").quad(d.Quad)
	w.close()
	w.name("capture").capture(d.Capture)
	w.others(others)
	w.name("fields").begin()
	for _, spec := range d.Specs(model) {
		w.name(spec.Name).field(d.Field(spec.Name))
	}
	w.close()
	if d.Zone != nil {
		w.name("mrz").texts(d.Zone)
	}
	w.name("cues").cues(d.Cues)
	w.close()
}

// cues writes named signs with their scores.
func (w *writer) cues(list []appliance.Cue) {
	w.open()
	for _, c := range list {
		w.begin()
		w.name("name").text(c.Name)
		w.name("score").number(c.Score)
		w.name("threshold").number(c.Threshold)
		if c.NotJudged != "" {
			w.name("not_judged").text(c.NotJudged)
		}
		w.close()
	}
	w.shut()
}

// othersEvidence writes what a picture of several documents shows beside those that were read.
func (w *writer) othersEvidence(others []appliance.Outline) {
	w.name("evidence").begin()
	w.others(others)
	w.close()
}

func (w *writer) others(others []appliance.Outline) {
	w.name("others").open()
	for _, o := range others {
		w.begin()
		w.name("doc_type").text(string(o.Kind))
		w.name("quad").quad(o.Quad)
		w.close()
	}
	w.shut()
}

func (w *writer) capture(c appliance.Capture) {
	w.begin()
	w.name("sharpness").number(c.Sharpness)
	w.name("glare").number(c.Glare)
	w.name("cut_off").truth(c.CutOff)
	w.name("covered").truth(c.Covered)
	w.name("too_small").truth(c.TooSmall)
	w.name("blurred").truth(c.Blurred)
	w.name("glared").truth(c.Glared)
	w.name("advice").text(appliance.Phrasef(c.Advice).In(w.language))
	w.close()
}

func (w *writer) field(f appliance.Field) {
	w.begin()
	w.name("quad").quad(f.Quad)
	w.name("confidence").number(f.Confidence)
	w.name("characters").open()
	for _, c := range f.Characters {
		w.number(c)
	}
	w.shut()
	w.name("raw").text(f.Raw)
	w.name("derived_from").texts(f.DerivedFrom)
	w.name("repairs").texts(f.Repairs)
	w.name("checks").open()
	for _, c := range f.Checks {
		w.begin()
		w.name("name").text(c.Name)
		w.name("passed").truth(c.Passed)
		w.close()
	}
	w.shut()
	w.close()
}

// lineEvidence writes the place and confidence of each line of general text, in the order of data.lines.
func (w *writer) lineEvidence(lines []appliance.Line) {
	w.name("evidence").begin()
	w.name("lines").open()
	for _, l := range lines {
		w.begin()
		w.name("quad").quad(l.Quad)
		w.name("confidence").number(l.Confidence)
		w.close()
	}
	w.shut()
	w.close()
}

// quad writes [[x,y],[x,y],[x,y],[x,y]], or null for a place that is not known.
func (w *writer) quad(q appliance.Quad) {
	if q == (appliance.Quad{}) {
		w.null()
		return
	}
	w.open()
	for _, p := range q {
		w.open()
		w.number(p.X)
		w.number(p.Y)
		w.shut()
	}
	w.shut()
}
