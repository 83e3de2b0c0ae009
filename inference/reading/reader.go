package reading

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/doubt"
	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/inference/line"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/scene"
	"github.com/bawab/bawab/inference/sheet"
	"github.com/bawab/bawab/inference/text"
)

// Finder finds the documents of a picture, largest first, and looks again where one seems to lie otherwise, and at the whole picture from
// another side; outline.Finder is the one there is.
type Finder interface {
	scene.Finder
	Find(ctx context.Context, p *appliance.Picture) ([]outline.Found, error)
	FindTurned(ctx context.Context, p *appliance.Picture, quarters int) ([]outline.Found, error)
	FindAt(ctx context.Context, p *appliance.Picture, places, all []appliance.Quad) (d outline.Found, ok bool, err error)
}

// examiner looks at a document that was read for signs of fraud.
type examiner interface {
	Examine(ctx context.Context, p *appliance.Picture, d appliance.Document) ([]appliance.Cue, error)
}

// Tools are what Readers work with. They stay the caller's and are shared by all Readers.
type Tools struct {
	Finder   Finder
	Detector *line.Detector
	Words    *text.LineReader
	Digits   *text.DigitReader
	// Fraud looks for signs of fraud on what was read; nil leaves them out.
	Fraud examiner
	// Now gives the time in the zone in which documents expire.
	Now func() time.Time
	// Kinds are those that are read, and Calibration what decides how the document engine reads them.
	Kinds
	Calibration *form.Calibration
}

// Reader reads the largest document of its kind in a picture. It is safe for concurrent use.
type Reader struct {
	Tools
	kind appliance.Kind
	view scene.Viewer
}

// NewReader makes a reader of one kind of document, or of any where it is Unknown. A picture that shows other
// documents alone is answered with the largest of them, as what it is.
func NewReader(kind appliance.Kind, t Tools) *Reader {
	return &Reader{Tools: t, kind: kind, view: scene.Viewer{Finder: t.Finder, Detector: t.Detector, Kinds: t.Kinds}}
}

// Read finds the document at any angle, lays it flat, finds its lines and turns them into fields. A picture without a
// document, or with a mirrored one, is CodeNoDocument.
func (r *Reader) Read(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (appliance.Reading, error) {
	ctx, s := scene.New(ctx, p, earlier)
	err := r.Look(ctx, s)
	if err == nil {
		err = r.Face(ctx, s)
	}
	if err != nil {
		return appliance.Reading{Stages: s.Stages}, fmt.Errorf("read %s: %w", r.kind, err)
	}
	return r.ReadOrHunt(ctx, s, Hunt{Missed: r.Missed, Elsewhere: r.findByPrint, Most: 3})
}

// Missed reports whether what was read may not be the card that is sought: it shows no number, or it is something else, but not a card
// of which something was read and which is easily mistaken for it by the one who shows it.
func (r *Reader) Missed(d appliance.Document) bool {
	if d.Kind == r.kind {
		return !r.Numbered(d)
	}
	return d.Kind == appliance.Unknown || !AnyValue(d) || r.ByLook(r.kind) && !r.ByLook(d.Kind)
}

// readScene reads the document of a scene that is sought, and says which that is.
func (r *Reader) readScene(ctx context.Context, s *scene.Scene) (d appliance.Document, target int, err error) {
	if len(s.Found) == 0 {
		return d, 0, r.Nothing(s.Picture)
	}
	target = r.wanted(s.Found)
	d, named, err := r.ReadFound(ctx, s, target)
	if err == nil && d.Kind != r.kind && r.ByPrint(r.kind) {
		d, target, err = r.readOther(ctx, s, target, d)
	}
	if r.ByLook(r.kind) {
		d, err = r.readIfAsked(ctx, s, target, d, named, err)
	}
	if err == nil && d.Kind == r.kind && !r.Numbered(d) {
		d, target, named, err = r.readAmongOthers(ctx, s, target, d, named)
	}
	if err == nil && r.OfClub(d, named) {
		d = appliance.Document{Kind: appliance.Unknown, Quad: d.Quad, Capture: d.Capture}
	}
	if err == nil {
		err = r.Refuse(ctx, s, d, s.Found[target])
	}
	return d, target, err
}

// readIfAsked reads a document as the side of a national ID that was asked for where it may be that after all: it was taken for something
// else without proof.
func (r *Reader) readIfAsked(
	ctx context.Context, s *scene.Scene, target int, d appliance.Document, named bool, err error,
) (appliance.Document, error) {
	f := s.Found[target]
	if err == nil && d.Kind != r.kind && (f.Probability(r.kind) >= askedShare || !AnyValue(d) || !named) {
		return r.readAsAsked(ctx, s, target, d)
	}
	return d, err
}

// maybe reports whether what looks like a kind may be the one that is sought: licences look like each other.
func (r *Reader) maybe(k appliance.Kind) bool {
	return k == r.kind || r.ByPrint(r.kind) && (r.ByPrint(k) || k == appliance.Unknown)
}

// wanted returns which document is to be read: the largest of the reader's kind, without one what may be that in a mirror,
// and without that the largest of all.
func (r *Reader) wanted(found []outline.Found) int {
	if i := slices.IndexFunc(found, func(f outline.Found) bool { return f.Kind == r.kind }); i >= 0 {
		return i
	}
	return max(0, slices.IndexFunc(found, func(f outline.Found) bool { return f.Mirrored }))
}

// readAmongOthers reads a card that showed no number among the other documents of a picture: first as if none lay on it, since they may
// have been taken to lie above it though they lie below, then at the rival outlines. It returns the document, which one it is, and whether
// its print says so.
func (r *Reader) readAmongOthers(
	ctx context.Context, s *scene.Scene, target int, read appliance.Document, named bool,
) (appliance.Document, int, bool, error) {
	if c := s.Card(target); len(c.Covers) > 0 {
		d, err := r.reread(ctx, s, scene.Card{Found: c.Found}, read, c.Covers)
		if err != nil || r.Numbered(d) {
			return d, target, named, err
		}
	}
	return r.readRivals(ctx, s, target, read, named)
}

// sameSpot is the share of one outline that another must hold for the two to be rival ideas of where one card lies.
const sameSpot = 0.1

// readRivals reads the other outlines of what may be the reader's kind that overlap the one that was read and gave no number: where a card
// lies on other sheets, a part of both may look like a card, too. Where what was read does not say what it is either, it may be none,
// and the others are read wherever they lie. The one that shows a number is the card, without one the first that says what it is, where
// what was read does not. What both outlines hold stays in doubt.
func (r *Reader) readRivals(
	ctx context.Context, s *scene.Scene, target int, read appliance.Document, named bool,
) (appliance.Document, int, bool, error) {
	own, best := s.Found[target].Quad, target
	for i, f := range s.Found {
		if i == target || !r.rivals(f, own, named) {
			continue
		}
		rest := s.With(slices.Delete(slices.Clone(s.Found), target, target+1))
		at := i
		if target < i {
			at--
		}
		d, says, err := r.ReadFound(ctx, rest, at)
		if err != nil && appliance.CodeOf(err) != appliance.CodeNoDocument {
			return d, i, says, err
		}
		if err != nil || d.Kind != r.kind || !r.Numbered(d) && (named || !says) {
			continue
		}
		doubt.Covered(&d, []appliance.Quad{own})
		if r.Numbered(d) {
			return d, i, says, nil
		}
		read, named, best = d, true, i
	}
	return read, best, named, nil
}

// rivals reports whether an outline may be the document that is sought, of which another one was read: one that says what it is has
// rivals only where it lies.
func (r *Reader) rivals(f outline.Found, own appliance.Quad, named bool) bool {
	return r.maybe(f.Kind) && !f.Mirrored && (!named || max(sheet.Overlap(own, f.Quad), sheet.Overlap(f.Quad, own)) >= sameSpot)
}

// askedShare is the belief that a document is of the kind asked for from which on it is also read as that.
const askedShare = 0.1

// readAsAsked reads a document that the finder holds for another one as the side of a national ID that was asked for: dull and dark
// cards look like others.
func (r *Reader) readAsAsked(ctx context.Context, s *scene.Scene, target int, read appliance.Document) (appliance.Document, error) {
	c := s.Card(target)
	c.Kind = r.kind
	return r.reread(ctx, s, c, read, c.Covers)
}

// readAsID reads what looks like a licence but does not say so, or like a card in a mirror, as the sides of a national ID, and returns
// what was read before unless the print proves it one, which proved tells: those from before 2009 look like licences.
func (r *Reader) readAsID(
	ctx context.Context, s *scene.Scene, c scene.Card, read appliance.Document,
) (d appliance.Document, proved bool, err error) {
	for _, c.Kind = range r.looks(r.kind) {
		if d, ok := r.readProved(ctx, s, c); ok {
			return d, true, nil
		}
	}
	return read, false, ctx.Err()
}

// readProved reads a card; ok tells that its print says what it is and shows a number or, where that is hidden, whose it is otherwise.
func (r *Reader) readProved(ctx context.Context, s *scene.Scene, c scene.Card) (d appliance.Document, ok bool) {
	d, named, err := r.readCard(ctx, s, c)
	if err == nil && !named {
		d, named, err = r.readTitled(ctx, s, c, d)
	}
	return d, err == nil && named && (r.Numbered(d) || r.marks(d.Kind).ShowsHolder(d, surelyRead))
}

// reread reads an ID or a licence once more; what any of covers may hide is in doubt. The print decides: it must say what it is and show a
// number, or what was read before stays.
func (r *Reader) reread(
	ctx context.Context, s *scene.Scene, c scene.Card, read appliance.Document, covers []appliance.Quad,
) (appliance.Document, error) {
	d, ok := r.readProved(ctx, s, c)
	if !ok {
		return read, ctx.Err()
	}
	doubt.Unseen(&d, covers, s.Picture)
	err := r.Examine(ctx, s, &d)
	return d, err
}

// Look finds the documents of a scene.
func (r *Reader) Look(ctx context.Context, s *scene.Scene) (err error) {
	s.Found, err = r.Finder.Find(ctx, s.Picture)
	s.Lap("find")
	return err
}

// ReadFound reads the i-th document of a scene, whatever its kind; every endpoint reads documents through it. A mirrored
// one is CodeNoDocument. named tells of a card that its print says what it is.
func (r *Reader) ReadFound(ctx context.Context, s *scene.Scene, i int) (d appliance.Document, named bool, err error) {
	c := s.Card(i)
	d, named, err = r.readAs(ctx, s, c)
	if err == nil {
		d, err = r.readLast(ctx, s, c, d)
	}
	if err == nil && r.ByPrint(d.Kind) && r.readable(d.Kind) {
		d, named, err = r.readBeyond(ctx, s, i, d, named)
	}
	if err != nil {
		return d, named, fmt.Errorf("read %s: %w", c.Kind, err)
	}
	doubt.Unseen(&d, c.Covers, s.Picture)
	err = r.Examine(ctx, s, &d)
	return d, named, err
}

// readAs reads what was found as what it looks like.
func (r *Reader) readAs(ctx context.Context, s *scene.Scene, c scene.Card) (d appliance.Document, named bool, err error) {
	if c.Mirrored {
		return appliance.Document{Kind: c.Kind, Quad: c.Quad}, false, Mirrored()
	}
	if own := r.own(c.Kind); own != nil {
		return r.readOwn(ctx, s, c, own)
	}
	return r.readUnsure(ctx, s, c)
}

// readUnsure reads a card that the finder takes for an ID, a licence or none that it knows: the three look like each other, and their
// print tells them apart.
func (r *Reader) readUnsure(ctx context.Context, s *scene.Scene, c scene.Card) (d appliance.Document, named bool, err error) {
	if c.Kind == appliance.Unknown { // before its print is taken for a licence's
		if d, err = r.readFirst(ctx, s, c); err != nil || AnyValue(d) {
			return d, false, err
		}
	}
	d, named, err = r.readCard(ctx, s, c)
	if err == nil && r.readable(c.Kind) {
		d, named, err = r.readOtherwise(ctx, s, c, d, named)
	}
	if r.undecided(s, c, d, named, err) {
		if card, proved, failed := r.readAsID(ctx, s, c, d); failed != nil || proved {
			d, named, err = card, proved, failed
		}
	}
	return d, named, err
}

// readOtherwise reads a card once more as what else it may be, where what was read leaves that open.
func (r *Reader) readOtherwise(
	ctx context.Context, s *scene.Scene, c scene.Card, read appliance.Document, named bool,
) (appliance.Document, bool, error) {
	switch {
	case r.senseless(s, c, read):
		d, err := r.readCrosswise(ctx, s, c, read)
		return d, named, err
	case r.ByLook(read.Kind) && !named:
		return r.readUntitled(ctx, s, c, read)
	// One that is asked for is read again anyway.
	case c.Kind == appliance.Unknown && r.kind == appliance.Unknown && r.ByPrint(read.Kind) && !named:
		return r.readAsID(ctx, s, c, read)
	case r.ByPrint(c.Kind) && (!r.Numbered(read) || !named):
		if page, err := r.readFirst(ctx, s, c); err != nil || AnyValue(page) {
			return page, named, err
		}
		if !named {
			return r.readAsID(ctx, s, c, read)
		}
	}
	return read, named, nil
}

// senseless reports whether nothing of a card made sense that may lie crosswise: at most one value of a licence, since a pattern may look
// like one.
func (r *Reader) senseless(s *scene.Scene, c scene.Card, read appliance.Document) bool {
	if read.Kind == appliance.Unknown {
		return r.ByPrint(r.kind) || scene.Upended(c.Quad) || sheet.CardShaped(s.Picture, c.Quad)
	}
	return r.ByPrint(read.Kind) && valued(read) <= 1
}

// readUntitled reads what looks like an ID but does not say so as a licence and, where that does not say so either, with its band of
// titles.
func (r *Reader) readUntitled(
	ctx context.Context, s *scene.Scene, c scene.Card, id appliance.Document,
) (d appliance.Document, named bool, err error) {
	d, named, err = r.readAsLicence(ctx, s, c, id)
	if err != nil || named || !r.ByPrint(d.Kind) {
		return d, named, err
	}
	if titled, says, failed := r.readTitled(ctx, s, c, id); failed != nil || says {
		return titled, says, failed
	}
	return d, false, nil
}

// undecided reports whether what was read of a card leaves it open what it is. Where any document may be meant, IDs with dark bands or bar
// codes on top look like other cards.
func (r *Reader) undecided(s *scene.Scene, c scene.Card, d appliance.Document, named bool, err error) bool {
	return r.kind == appliance.Unknown && err == nil && sheet.CardShaped(s.Picture, c.Quad) &&
		(d.Kind == appliance.Unknown || r.ByPrint(d.Kind) && !named && valued(d) <= 1)
}

// readCrosswise reads a sheet of which nothing made sense as a card that lies crosswise, and returns that where its print is a licence's.
func (r *Reader) readCrosswise(ctx context.Context, s *scene.Scene, c scene.Card, read appliance.Document) (appliance.Document, error) {
	c.Quad = appliance.Quad{c.Quad[1], c.Quad[2], c.Quad[3], c.Quad[0]}
	d, _, err := r.readCard(ctx, s, c)
	if appliance.CodeOf(err) == appliance.CodeNoDocument || err == nil && (d.Kind == appliance.Unknown || valued(d) <= valued(read)) {
		return read, nil
	}
	return d, err
}

// Examine records the signs of fraud of a document.
func (r *Reader) Examine(ctx context.Context, s *scene.Scene, d *appliance.Document) (err error) {
	if r.Fraud == nil {
		return nil
	}
	if d.Cues, err = r.Fraud.Examine(ctx, s.Picture, *d); err != nil {
		return fmt.Errorf("examine %s: %w", d.Kind, err)
	}
	s.Lap("fraud")
	return nil
}

// smallPicture is the longer side, in pixels, under which a card's print cannot be read even if it fills the picture.
const smallPicture = 400

// Tiny reports whether a picture is so small that nothing on a card can be read.
func Tiny(p *appliance.Picture) bool { return max(p.Width, p.Height) < smallPicture }

// Nothing says what to do when no document was found.
func (r *Reader) Nothing(p *appliance.Picture) error {
	if Tiny(p) {
		return appliance.Errorf(appliance.CodeNoDocument,
			"no document was found in the image, which is very small: send one at least 1000 pixels wide")
	}
	if own := r.own(r.kind); own != nil && own.Nothing != nil {
		return own.Nothing()
	}
	return appliance.Errorf(appliance.CodeNoDocument,
		"no document was found in the image: lay the card on a plain ground and show it whole, sharp and without glare")
}

// Mirrored says what to do about a picture in the mirror.
func Mirrored() error {
	return appliance.Errorf(appliance.CodeNoDocument,
		"the document in the image is mirrored: switch off the mirroring of the camera and take the picture again")
}

// Strange says what to do about a picture in which nothing that lies there could be told to be a document.
func (r *Reader) Strange(p *appliance.Picture) error {
	if Tiny(p) {
		return r.Nothing(p)
	}
	return appliance.Errorf(appliance.CodeNoDocument,
		"what lies in the image is no document that can be read here: "+
			"show an Egyptian identity card, a licence, a plate or a passport, whole and sharp")
}

// attempt is one way of looking at a card, with what it gave.
type attempt struct {
	appliance.Document
	mirrored bool
	// named tells that the print says what the card was read as: of a national ID a title, or the phrase before the expiry date; of
	// a licence its labels.
	named   bool
	legible float64
}

// surelyRead is the confidence of a value from which on it proves what was read, and how the card lies.
const surelyRead = 0.98

// Legibility above wellRead shows that a card lies as it was read; at most hardlyRead leaves room for doubt.
const (
	wellRead   = 0.6
	hardlyRead = 0.55
)

// readCard reads one card. The finder tells its orientation; only where that gives little print, the card is also read
// upside down and in the mirror. Lines on a document that lies above it are not its own. named tells that its print says what it is.
func (r *Reader) readCard(ctx context.Context, s *scene.Scene, c scene.Card) (d appliance.Document, named bool, err error) {
	view, ok := scene.LayFlat(c)
	if !ok || !r.readable(c.Kind) {
		return appliance.Document{Kind: c.Kind, Quad: c.Quad}, false, nil
	}
	view, lines, err := r.view.Lines(ctx, s, view)
	if err != nil {
		return d, false, err
	}
	s.Lap("detect")
	best, err := r.readUpright(ctx, s, view, lines)
	if err != nil {
		return best.Document, false, err
	}
	s.Lap("read")
	if best.mirrored {
		return appliance.Document{Kind: best.Kind, Quad: best.Quad}, false, Mirrored()
	}
	best.Capture = scene.Capture(s.Picture, view.Card)
	if best.Capture.CutOff || view.Covered() {
		doubt.Below(&best.Document, surelyWhole)
	}
	doubt.Beyond(&best.Document)
	// It may be the card of a club, a school or a business.
	ofAnyone := r.of(best.Kind) != nil && !best.named && !(r.Numbered(best.Document) && r.marks(best.Kind).NumberTells())
	if ofAnyone || view.RunsOut(lines) {
		doubt.Below(&best.Document, math.Inf(1))
	}
	s.Lap("quality")
	return best.Document, best.named, nil
}

// readUpright reads a card in each way in which it may lie, the likeliest first, until its print is legible: the best of these.
func (r *Reader) readUpright(ctx context.Context, s *scene.Scene, view scene.Flat, lines []text.Line) (best attempt, err error) {
	for n, pose := range scene.Poses() {
		if pose.Mirrored && scene.Crowded(lines) {
			break
		}
		a := attempt{mirrored: pose.Mirrored, Document: appliance.Document{Kind: view.Kind, Quad: pose.Quad(view.Quad)}}
		page := s.Page(view.ToPicture.Mul(pose.View()), pose.Lines(lines), r.Words, r.Digits, &r.Calibration.Page)
		if a.legible, a.named, err = r.readSide(ctx, page, &a.Document, s.Earlier); err != nil {
			return best, err
		}
		if n == 0 || a.legible > max(wellRead, best.legible+0.2) {
			best = a
		}
		if best.legible > hardlyRead || r.surelyNumbered(best.Document) {
			break
		}
	}
	return best, nil
}

// surelyWhole is the confidence under which a value is flagged on a card that the picture shows in part: where the card goes on
// is a guess there, so lines lie askew in their strips, which no confidence was fitted to.
const surelyWhole = 0.97
