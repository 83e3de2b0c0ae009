package card

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/doubt"
	"github.com/bawab/bawab/inference/line"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/passport"
	"github.com/bawab/bawab/inference/plate"
	"github.com/bawab/bawab/inference/stopwatch"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
	"github.com/bawab/bawab/inference/zone"
)

// finder finds the documents of a picture, largest first; outline.Finder is the one there is.
type finder interface {
	Find(ctx context.Context, p *appliance.Picture) ([]outline.Found, error)
}

// tracer is a finder that looks again where a document seems to lie otherwise, and at the whole picture from another side.
type tracer interface {
	finder
	plate.PartsFinder
	Glance(ctx context.Context, p *appliance.Picture) (outline.Glance, error)
	Follow(ctx context.Context, p *appliance.Picture, g outline.Glance) ([]outline.Found, error)
	FindTurned(ctx context.Context, p *appliance.Picture, quarters int) ([]outline.Found, error)
	FindHidden(ctx context.Context, p *appliance.Picture, found []outline.Found) ([]outline.Found, error)
	FindAt(ctx context.Context, p *appliance.Picture, places, all []appliance.Quad) (d outline.Found, ok bool, err error)
	Again(ctx context.Context, p *appliance.Picture, d outline.Found, about appliance.Quad) (outline.Found, error)
}

// examiner looks at a document that was read for signs of fraud.
type examiner interface {
	Examine(ctx context.Context, p *appliance.Picture, d appliance.Document) ([]appliance.Cue, error)
}

// Tools are what Readers work with. They stay the caller's and are shared by all Readers.
type Tools struct {
	Finder   tracer
	Detector *line.Detector
	Words    *text.LineReader
	Digits   *text.DigitReader
	// Zones reads passports and Plates licence plates; nil leaves them unread.
	Zones  *zone.Reader
	Plates plate.OutlineReader
	// Fraud looks for signs of fraud on what was read; nil leaves them out.
	Fraud examiner
	// Now gives the time in the zone in which documents expire.
	Now func() time.Time
	// Kinds are those that the document engine reads.
	Kinds
}

// Reader reads the largest document of its kind in a picture. It is safe for concurrent use.
type Reader struct {
	Tools
	kind appliance.Kind
}

// NewReader makes a reader of one kind of document; PassportReader is the one for passports. A picture that shows other
// documents alone is answered with the largest of them, as what it is.
func NewReader(kind appliance.Kind, t Tools) *Reader {
	return &Reader{Tools: t, kind: kind}
}

// Read finds the document at any angle, lays it flat, finds its lines and turns them into fields. A picture without a
// document, or with a mirrored one, is CodeNoDocument.
func (r *Reader) Read(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (appliance.Reading, error) {
	ctx, watch := stopwatch.New(ctx)
	s, err := r.look(ctx, p, watch)
	if err != nil {
		return appliance.Reading{Stages: watch.Stages}, fmt.Errorf("read %s: %w", r.kind, err)
	}
	return r.readOrHunt(ctx, s, hunt{missed: r.missed, elsewhere: r.findByPrint, most: 3}, earlier, watch)
}

// missed reports whether what was read may not be the card that is sought: it shows no number, or it is something else, but not a card
// of which something was read and which is easily mistaken for it by the one who shows it.
func (r *Reader) missed(d appliance.Document) bool {
	if d.Kind == r.kind {
		return !r.numbered(d)
	}
	return d.Kind == appliance.Unknown || !anyValue(d) || r.byLook(r.kind) && !r.byLook(d.Kind)
}

// readScene reads the document of a scene that is sought, and says which that is.
func (r *Reader) readScene(
	ctx context.Context, s *scene, earlier []appliance.Document, watch *stopwatch.Watch,
) (d appliance.Document, target int, err error) {
	if len(s.found) == 0 {
		return d, 0, r.nothing(s.Picture)
	}
	target = r.wanted(s.found)
	d, named, err := r.readFound(ctx, s, target, earlier, watch)
	if err == nil && d.Kind != r.kind && r.byPrint(r.kind) {
		d, target, err = r.readOther(ctx, s, target, d, earlier, watch)
	}
	switch f := s.found[target]; {
	case !r.byLook(r.kind):
	case f.Mirrored && appliance.CodeOf(err) == appliance.CodeNoDocument: // print that can be read lies in no mirror
		if asked, failed := r.readAsAsked(ctx, s, target, appliance.Document{Quad: d.Quad}, earlier, watch); failed != nil || asked.Kind == r.kind {
			d, err = asked, failed
		}
	case err == nil && d.Kind != r.kind && !f.Mirrored && (f.Probability(r.kind) >= askedShare || !anyValue(d) || !named):
		d, err = r.readAsAsked(ctx, s, target, d, earlier, watch)
	}
	if err == nil && d.Kind == r.kind && !r.numbered(d) {
		d, target, named, err = r.readAmongOthers(ctx, s, target, d, named, earlier, watch)
	}
	if err == nil && r.ofClub(d, named) {
		d = appliance.Document{Kind: appliance.Unknown, Quad: d.Quad, Capture: d.Capture}
	}
	if err == nil {
		err = r.refuse(ctx, s, d, s.found[target], watch)
	}
	return d, target, err
}

// maybe reports whether what looks like a kind may be the one that is sought: licences look like each other.
func (r *Reader) maybe(k appliance.Kind) bool {
	return k == r.kind || r.byPrint(r.kind) && (r.byPrint(k) || k == appliance.Unknown)
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
func (r *Reader) readAmongOthers(ctx context.Context, s *scene, target int, read appliance.Document, named bool, earlier []appliance.Document,
	watch *stopwatch.Watch,
) (appliance.Document, int, bool, error) {
	if covers := s.covers(target); len(covers) > 0 {
		d, err := r.reread(ctx, s, s.found[target], read, nil, covers, earlier, watch)
		if err != nil || r.numbered(d) {
			return d, target, named, err
		}
	}
	return r.readRivals(ctx, s, target, read, named, earlier, watch)
}

// sameSpot is the share of one outline that another must hold for the two to be rival ideas of where one card lies.
const sameSpot = 0.1

// readRivals reads the other outlines of what may be the reader's kind that overlap the one that was read and gave no number: where a card
// lies on other sheets, a part of both may look like a card, too. Where what was read does not say what it is either, it may be none,
// and the others are read wherever they lie. The one that shows a number is the card, without one the first that says what it is, where
// what was read does not. What both outlines hold stays in doubt.
func (r *Reader) readRivals(ctx context.Context, s *scene, target int, read appliance.Document, named bool, earlier []appliance.Document,
	watch *stopwatch.Watch,
) (appliance.Document, int, bool, error) {
	own, best := s.found[target].Quad, target
	for i, f := range s.found {
		if i == target || !r.maybe(f.Kind) || f.Mirrored || named && max(outline.Overlap(own, f.Quad), outline.Overlap(f.Quad, own)) < sameSpot {
			continue
		}
		rest := *s
		rest.found = slices.Delete(slices.Clone(s.found), target, target+1)
		at := i
		if target < i {
			at--
		}
		d, says, err := r.readFound(ctx, &rest, at, earlier, watch)
		if err != nil && appliance.CodeOf(err) != appliance.CodeNoDocument {
			return d, i, says, err
		}
		if err != nil || d.Kind != r.kind || !r.numbered(d) && (named || !says) {
			continue
		}
		doubt.Covered(&d, []appliance.Quad{own})
		if r.numbered(d) {
			return d, i, says, nil
		}
		read, named, best = d, true, i
	}
	return read, best, named, nil
}

// askedShare is the belief that a document is of the kind asked for from which on it is also read as that.
const askedShare = 0.1

// readAsAsked reads a document that the finder holds for another one as the side of a national ID that was asked for: dull and dark
// cards look like others.
func (r *Reader) readAsAsked(
	ctx context.Context, s *scene, target int, read appliance.Document, earlier []appliance.Document, watch *stopwatch.Watch,
) (appliance.Document, error) {
	f, covers := s.found[target], s.covers(target)
	f.Kind = r.kind
	return r.reread(ctx, s, f, read, covers, covers, earlier, watch)
}

// readAsID reads what looks like a licence but does not say so, or like a card in a mirror, as the sides of a national ID, and returns
// what was read before unless the print proves it one, which proved tells: those from before 2009 look like licences.
func (r *Reader) readAsID(
	ctx context.Context, s *scene, f outline.Found, read appliance.Document, covers []appliance.Quad, earlier []appliance.Document,
	watch *stopwatch.Watch,
) (d appliance.Document, proved bool, err error) {
	for _, f.Kind = range r.looks(r.kind) {
		if d, ok := r.readProved(ctx, s, f, covers, earlier, watch); ok {
			return d, true, nil
		}
	}
	return read, false, ctx.Err()
}

// readProved reads a card; ok tells that its print says what it is and shows a number or, where that is hidden, whose it is otherwise.
func (r *Reader) readProved(
	ctx context.Context, s *scene, f outline.Found, hiding []appliance.Quad, earlier []appliance.Document, watch *stopwatch.Watch,
) (d appliance.Document, ok bool) {
	d, named, err := r.readCard(ctx, s, f, hiding, earlier, watch)
	if err == nil && !named {
		d, named, err = r.readTitled(ctx, s, f, d, hiding, earlier, watch)
	}
	return d, err == nil && named && (r.numbered(d) || r.marks(d.Kind).ShowsHolder(d, surelyRead))
}

// reread reads f, an ID or a licence, once more: its lines on the documents hiding are left out, and what any of covers may hide is in
// doubt. The print decides: it must say what it is and show a number, or what was read before stays.
func (r *Reader) reread(
	ctx context.Context, s *scene, f outline.Found, read appliance.Document, hiding, covers []appliance.Quad, earlier []appliance.Document,
	watch *stopwatch.Watch,
) (appliance.Document, error) {
	d, ok := r.readProved(ctx, s, f, hiding, earlier, watch)
	if !ok {
		return read, ctx.Err()
	}
	doubt.Unseen(&d, covers, s.Picture)
	err := r.examine(ctx, s, &d, watch)
	return d, err
}

// look finds the documents of a picture.
func (r *Reader) look(ctx context.Context, p *appliance.Picture, watch *stopwatch.Watch) (*scene, error) {
	found, err := r.Finder.Find(ctx, p)
	watch.Lap("find")
	return r.scene(p, found, watch), err
}

// readFound reads the i-th document of a scene, whatever its kind; every endpoint reads documents through it. A mirrored
// one is CodeNoDocument. earlier are the documents that it may be decoded together with, newest first. named tells of a card that its
// print says what it is.
func (r *Reader) readFound(
	ctx context.Context, s *scene, i int, earlier []appliance.Document, watch *stopwatch.Watch,
) (d appliance.Document, named bool, err error) {
	f, covers := s.found[i], s.covers(i)
	switch {
	case f.Mirrored && !r.readable(f.Kind):
		return appliance.Document{Kind: f.Kind, Quad: f.Quad}, false, mirrored()
	case f.Kind == appliance.Passport && r.Zones != nil:
		if d, err = r.readPassport(ctx, s, f, covers, watch); err == nil && !anyValue(d) && (r.byPrint(r.kind) || r.kind == appliance.Unknown) {
			d, named, err = r.readAsLicence(ctx, s, f, d, covers, earlier, watch)
		}
	case f.Kind == appliance.LicensePlate && r.Plates != nil:
		d, err = r.Plates.ReadIn(ctx, s.Picture, f.Quad)
		watch.Lap("plate")
	default:
		d, named, err = r.readUnsure(ctx, s, f, covers, earlier, watch)
	}
	if err == nil && d.Kind == appliance.Passport && f.Kind != d.Kind && !anyValue(d) { // its print says so
		shown := d.Capture
		d = passport.Unread(d.Quad)
		d.Capture = shown
	}
	if err == nil && d.Kind == appliance.Unknown && r.Plates != nil {
		d, err = r.readAsPlate(ctx, s, d, watch)
	}
	if err == nil && r.byPrint(d.Kind) && r.readable(d.Kind) {
		d, named, err = r.readBeyond(ctx, s, f, d, named, s.beside(i), earlier, watch)
	}
	if err == nil && f.Mirrored && d.Kind == appliance.Unknown {
		err = mirrored() // what looks like a mirror image can be an arrangement that the finder does not know: its print tells
	}
	if err != nil {
		return d, named, fmt.Errorf("read %s: %w", f.Kind, err)
	}
	doubt.Unseen(&d, covers, s.Picture)
	err = r.examine(ctx, s, &d, watch)
	return d, named, err
}

// readUnsure reads a card that the finder takes for an ID, a licence or none that it knows: the three look like each other, and their
// print tells them apart.
func (r *Reader) readUnsure(
	ctx context.Context, s *scene, f outline.Found, covers []appliance.Quad, earlier []appliance.Document, watch *stopwatch.Watch,
) (d appliance.Document, named bool, err error) {
	if f.Kind == appliance.Unknown { // before its print is taken for a licence's
		if d, err = r.readByZone(ctx, s, f, covers, watch); err != nil || anyValue(d) {
			return d, false, err
		}
	}
	d, named, err = r.readCard(ctx, s, f, covers, earlier, watch)
	switch {
	case err != nil || !r.readable(f.Kind):
	case d.Kind == appliance.Unknown && (r.byPrint(r.kind) || upended(f.Quad) || outline.CardShaped(s.Picture, f.Quad)) ||
		r.byPrint(d.Kind) && valued(d) <= 1: // a pattern may look like one value
		d, err = r.readCrosswise(ctx, s, f, d, covers, earlier, watch)
	case r.byLook(d.Kind) && !named:
		id := d
		if d, named, err = r.readAsLicence(ctx, s, f, id, covers, earlier, watch); err != nil || named || !f.Mirrored && !r.byPrint(d.Kind) {
			break
		}
		if titled, says, failed := r.readTitled(ctx, s, f, id, covers, earlier, watch); failed != nil || says {
			d, named, err = titled, says, failed
		}
	// One that is asked for is read again anyway.
	case f.Kind == appliance.Unknown && r.kind == appliance.Unknown && r.byPrint(d.Kind) && !named:
		d, named, err = r.readAsID(ctx, s, f, d, covers, earlier, watch)
	case r.byPrint(f.Kind) && (!r.numbered(d) || !named):
		if page, failed := r.readByZone(ctx, s, f, covers, watch); failed != nil || anyValue(page) {
			d, err = page, failed
		} else if !named {
			d, named, err = r.readAsID(ctx, s, f, d, covers, earlier, watch)
		}
	}
	if r.undecided(s, f, d, named, err) {
		if card, proved, failed := r.readAsID(ctx, s, f, d, covers, earlier, watch); failed != nil || proved {
			d, named, err = card, proved, failed
		}
	}
	return d, named, err
}

// undecided reports whether what was read of a card, or failed to be, leaves it open what it is. Where any document may be meant, IDs with
// their portrait on the right look like ones in a mirror, and ones with dark bands or bar codes on top like other cards.
func (r *Reader) undecided(s *scene, f outline.Found, d appliance.Document, named bool, err error) bool {
	unread := err == nil && (d.Kind == appliance.Unknown || r.byPrint(d.Kind) && !named && valued(d) <= 1)
	return r.kind == appliance.Unknown &&
		(unread && outline.CardShaped(s.Picture, f.Quad) || f.Mirrored && (unread || appliance.CodeOf(err) == appliance.CodeNoDocument))
}

// upended reports whether an outline is clearly higher than wide.
func upended(q appliance.Quad) bool {
	const clearly = 1.2
	return side(q, 1)+side(q, 3) > clearly*(side(q, 0)+side(q, 2))
}

// readAsPlate reads a sheet of no known look as a plate, and returns that where its signs are clear.
func (r *Reader) readAsPlate(ctx context.Context, s *scene, read appliance.Document, watch *stopwatch.Watch) (appliance.Document, error) {
	d, err := r.Plates.ReadIn(ctx, s.Picture, read.Quad)
	watch.Lap("plate")
	if err != nil || r.numberOf(d).Confidence < plate.Clear {
		return read, err
	}
	return d, nil
}

// readCrosswise reads a sheet of which nothing made sense as a card that lies crosswise, and returns that where its print is a licence's.
func (r *Reader) readCrosswise(ctx context.Context, s *scene, f outline.Found, read appliance.Document, covers []appliance.Quad, earlier []appliance.Document,
	watch *stopwatch.Watch,
) (appliance.Document, error) {
	f.Quad = appliance.Quad{f.Quad[1], f.Quad[2], f.Quad[3], f.Quad[0]}
	d, _, err := r.readCard(ctx, s, f, covers, earlier, watch)
	if appliance.CodeOf(err) == appliance.CodeNoDocument || err == nil && (d.Kind == appliance.Unknown || valued(d) <= valued(read)) {
		return read, nil
	}
	return d, err
}

// examine records the signs of fraud of a document.
func (r *Reader) examine(ctx context.Context, s *scene, d *appliance.Document, watch *stopwatch.Watch) (err error) {
	if r.Fraud == nil {
		return nil
	}
	if d.Cues, err = r.Fraud.Examine(ctx, s.Picture, *d); err != nil {
		return fmt.Errorf("examine %s: %w", d.Kind, err)
	}
	watch.Lap("fraud")
	return nil
}

// smallPicture is the longer side, in pixels, under which a card's print cannot be read even if it fills the picture.
const smallPicture = 400

// nothing says what to do when no document was found.
func (r *Reader) nothing(p *appliance.Picture) error {
	switch {
	case max(p.Width, p.Height) < smallPicture:
		return appliance.Errorf(appliance.CodeNoDocument,
			"no document was found in the image, which is very small: send one at least 1000 pixels wide")
	case r.kind == appliance.LicensePlate:
		return appliance.Errorf(appliance.CodeNoDocument, "no plate was found in the image: show it whole, sharp and not from the side")
	}
	return appliance.Errorf(appliance.CodeNoDocument,
		"no document was found in the image: lay the card on a plain ground and show it whole, sharp and without glare")
}

// mirrored says what to do about a picture in the mirror.
func mirrored() error {
	return appliance.Errorf(appliance.CodeNoDocument,
		"the document in the image is mirrored: switch off the mirroring of the camera and take the picture again")
}

// strange says what to do about a picture in which nothing that lies there could be told to be a document.
func (r *Reader) strange(p *appliance.Picture) error {
	if max(p.Width, p.Height) < smallPicture {
		return r.nothing(p)
	}
	return appliance.Errorf(appliance.CodeNoDocument,
		"what lies in the image is no document that can be read here: show an Egyptian identity card, a licence, a plate or a passport, whole and sharp")
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

// crowded is how many lines of print no card has: a sheet with more is not read in the mirror as well, which would take seconds.
const crowded = 60

// readCard reads one card. The finder tells its orientation; only where that gives little print, the card is also read
// upside down and in the mirror. Lines on a document that lies above it are not its own. named tells that its print says what it is.
func (r *Reader) readCard(
	ctx context.Context, s *scene, f outline.Found, covers []appliance.Quad, earlier []appliance.Document, watch *stopwatch.Watch,
) (d appliance.Document, named bool, err error) {
	view, ok := layFlat(f)
	if !ok || !r.readable(f.Kind) {
		return appliance.Document{Kind: f.Kind, Quad: f.Quad}, false, nil
	}
	lines, err := r.linesOf(ctx, s, view, r.magnification(view), covers)
	if err != nil {
		return d, false, err
	}
	if view, lines, err = r.straightened(ctx, s, view, lines, covers); err != nil {
		return d, false, err
	}
	if view, lines, err = r.upright(ctx, s, view, lines, covers); err != nil {
		return d, false, err
	}
	watch.Lap("detect")
	best, err := r.readUpright(ctx, s, view, lines, earlier)
	if err != nil {
		return best.Document, false, err
	}
	watch.Lap("read")
	if best.mirrored {
		return appliance.Document{Kind: best.Kind, Quad: best.Quad}, false, mirrored()
	}
	best.Capture = capture(s.Picture, view.Found, covers)
	if best.Capture.CutOff || view.Covered() {
		doubt.Below(&best.Document, surelyWhole)
	}
	doubt.Beyond(&best.Document)
	// It may be the card of a club, a school or a business.
	ofAnyone := r.of(best.Kind) != nil && !best.named && !(r.numbered(best.Document) && r.marks(best.Kind).NumberTells())
	if ofAnyone || view.runsOut(lines) {
		doubt.Below(&best.Document, math.Inf(1))
	}
	watch.Lap("quality")
	return best.Document, best.named, nil
}

// readUpright reads a card in each way in which it may lie, the likeliest first, until its print is legible: the best of these.
func (r *Reader) readUpright(
	ctx context.Context, s *scene, view flatCard, lines []text.Line, earlier []appliance.Document,
) (best attempt, err error) {
	for n, pose := range poses() {
		if pose.mirrored && len(lines) > crowded {
			break
		}
		a := attempt{mirrored: pose.mirrored, Document: appliance.Document{Kind: view.Kind, Quad: pose.quad(view.Quad)}}
		page := r.page(s, view.toPicture.Mul(pose.view()), pose.lines(lines))
		if a.legible, a.named, err = r.readSide(ctx, page, &a.Document, earlier); err != nil {
			return best, err
		}
		if n == 0 || a.legible > max(wellRead, best.legible+0.2) {
			best = a
		}
		// What seems to lie in a mirror may be an arrangement that the finder does not know, which its print tells.
		if best.legible > hardlyRead && (best.named || !view.Mirrored) || r.surelyNumbered(best.Document) {
			break
		}
	}
	return best, nil
}

// surelyWhole is the confidence under which a value is flagged on a card that the picture shows in part: where the card goes on
// is a guess there, so lines lie askew in their strips, which no confidence was fitted to.
const surelyWhole = 0.97

// pose is a way in which a card may lie in its quad.
type pose struct{ turned, mirrored bool }

// poses are the ways in which a card may lie in its quad, the likeliest first.
func poses() []pose {
	return []pose{{}, {turned: true}, {mirrored: true}, {turned: true, mirrored: true}}
}

// view maps the view in which the card is upright to the one in which it was detected.
func (p pose) view() vision.Homography {
	h := vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}
	if p.turned {
		h = vision.Homography{-1, 0, viewWidth, 0, -1, viewHeight, 0, 0, 1}
	}
	if p.mirrored {
		h = h.Mul(vision.Homography{-1, 0, viewWidth, 0, 1, 0, 0, 0, 1})
	}
	return h
}

// lines returns the lines as they lie in the upright view, each from left to right.
func (p pose) lines(in []text.Line) []text.Line {
	h := p.view() // its own inverse
	out := make([]text.Line, len(in))
	for i, l := range in {
		l.Start, l.End = h.Apply(l.Start), h.Apply(l.End)
		swapped := l.Start.X > l.End.X
		if swapped {
			l.Start, l.End = l.End, l.Start
		}
		if swapped != p.mirrored { // either alone puts below what was above
			l.Sag = -l.Sag
		}
		out[i] = l
	}
	return out
}

// quad is the outline of the card with its upright top left corner first.
func (p pose) quad(q appliance.Quad) appliance.Quad {
	if p.turned {
		return appliance.Quad{q[2], q[3], q[0], q[1]}
	}
	return q
}
