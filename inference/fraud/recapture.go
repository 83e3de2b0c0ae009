package fraud

import (
	"context"
	"fmt"

	"github.com/bawab/bawab/appliance"
)

// Why a picture does not report whether it is a second photograph.
const (
	// NotJudgedSmall: the document has too few pixels to show dots of a display or a printer apart from noise.
	NotJudgedSmall = "small"
	// NotJudgedBlurred: the picture is too blurred to show them.
	NotJudgedBlurred = "blurred"
	// NotJudgedCamera: what lies around the document looks the same, so the camera, its sharpening or the coding has made it.
	NotJudgedCamera = "camera"
	// NotJudgedWeak: hardly more than what lies around the document speaks for it.
	NotJudgedWeak = "weak"
	// NotJudgedPattern: the document has a ground of regular dots or lines that no printer prints so coarsely.
	NotJudgedPattern = "pattern"
	// NotJudgedPlain: the page shows text alone, of which a grey copy may look like the page itself.
	NotJudgedPlain = "plain"
)

// What it takes to call a document a second photograph, beside its score. Set on 27 November 2026 to 120 genuine documents and 56 screens
// and prints of a drawer that shares nothing with those of the training, and what concerns the patches around on 28 November to 350 genuine
// pictures with strong noise and sharpening (models/fraud.md, "Honesty").
const (
	// judgedSide is the least length in pixels of a document's shortest side: below it a sharpened or enlarged picture of a genuine card
	// looks like a print.
	judgedSide = 400
	// loud is the least mean log-odds of the third of the patches that speaks most for the sign.
	loud = 2.5
	// printsOver and screensOver are by how much the patches of the document must speak for it more than those around it do, which count
	// as -1 at least. A display goes on around a document, a sheet of paper mostly does not. Noise and sharpening speak louder on a bright
	// card than on a dark or smooth ground, so that it takes much.
	printsOver, screensOver = 4.0, 0.5
	// fewAround is how many patches around a document tell something; with fewer it must speak for itself as veryLoud says.
	fewAround = 4
	// veryLoud is the same mean as loud of a document that is believed where too little lies around it, and of a display, which may fill
	// the picture, whatever lies there.
	veryLoud = 4.5
	// shown is what the surroundings must say, as log-odds, for a photograph that was photographed with its own ground: that looks like
	// the document then.
	shown = 1.0
)

// recaptured measures the signs of a second photograph.
func (d *Detector) recaptured(ctx context.Context, p *appliance.Picture, doc appliance.Document) ([]Sign, error) {
	screen, print, ok, err := d.texture.measure(ctx, p, doc.Quad)
	if err != nil {
		return nil, fmt.Errorf("examine texture: %w", err)
	}
	if !ok {
		return []Sign{{Name: ScreenReplay, NotJudged: NotJudgedSmall}, {Name: PrintedCopy, NotJudged: NotJudgedSmall}}, nil
	}
	screenAround, printAround, err := d.surroundings.measure(ctx, p, doc.Quad)
	if err != nil {
		return nil, fmt.Errorf("examine surroundings: %w", err)
	}
	signs := []Sign{calibrated(ScreenReplay, append(screen, screenAround)), calibrated(PrintedCopy, append(print, printAround))}
	return signs, d.doubt(ctx, p, doc, signs)
}

// doubt marks the signs of a screen and of a print that the picture does not bear out. What lies around the document is looked at only
// where one of them would count.
func (d *Detector) doubt(ctx context.Context, p *appliance.Picture, doc appliance.Document, signs []Sign) error {
	reason, counts := "", false
	switch {
	case shortest(doc.Quad) < judgedSide:
		reason = NotJudgedSmall
	case doc.Capture.Blurred:
		reason = NotJudgedBlurred
	}
	for i := range signs {
		signs[i].NotJudged = reason
		counts = counts || signs[i].Score >= d.thresholds[signs[i].Name]
	}
	if reason != "" || !counts {
		return nil
	}
	screen, print, n, err := d.texture.around(ctx, p, doc.Quad)
	if err != nil {
		return fmt.Errorf("examine texture around: %w", err)
	}
	for i, around := range []float64{screen, print} {
		if signs[i].Score >= d.thresholds[signs[i].Name] {
			signs[i].NotJudged = unsure(signs[i], around, n)
			if signs[i].NotJudged == "" && signs[i].Name == PrintedCopy && ownPattern(p, doc.Quad) {
				signs[i].NotJudged = NotJudgedPattern
			}
		}
	}
	return nil
}

// unsure says why a sign that would count must not; around is what n patches beside the document say.
func unsure(s Sign, around float64, n int) string {
	all, most := s.Measures[0], s.Measures[1]
	over := printsOver
	if s.Name == ScreenReplay {
		over = screensOver
	}
	believed := most >= veryLoud && (n < fewAround || s.Name == ScreenReplay)
	switch {
	case believed:
		return ""
	case most < loud, n < fewAround:
		return NotJudgedWeak
	case s.Measures[2] < shown && all < max(around, -1)+over:
		return NotJudgedCamera
	}
	return ""
}
