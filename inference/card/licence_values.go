package card

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// beside returns a cell and the free ones of its row that only a small gap parts from it.
func (a cells) beside(i int) []int {
	out := []int{i}
	grow := func(k, from int) bool {
		if k < 0 || k >= len(a) || a[k].line != a[i].line || a[k].label != "" || a[k].used {
			return false
		}
		l, r := &a[k], &a[from]
		if l.left() > r.left() {
			l, r = r, l
		}
		if (r.left()-l.right())*viewWidth > sameLine*max(l.height(), r.height()) || a[k].speckBeside(&a[from]) {
			return false
		}
		out = append(out, k)
		return true
	}
	for k := i + 1; grow(k, k-1); k++ {
	}
	for k := i - 1; grow(k, k+1); k-- {
	}
	return out
}

// speckBeside reports whether a cell beside another one is a stain that was read as a sign or two.
func (c *cell) speckBeside(o *cell) bool {
	return len([]rune(c.text)) <= 2 && c.height() < 0.8*o.height() && c.confidence < surePiece
}

// sameLine is the widest gap within a line of free text, in heights.
const sameLine = 4.5

// The least likeness to a label's words that counts: where a line must be there, and where it may be missing.
const (
	hardlyLabel = 0.55
	surely      = 0.75
)

// likeBeginning is how much the first words of a text are like those of a label.
func likeBeginning(line string, label egypt.Label) float64 {
	words, most := strings.Fields(line), 0.0
	for _, p := range egypt.PhrasesOf(label) {
		n := len(strings.Fields(p.Text))
		if len(words) > n {
			most = max(most, egypt.Likeness(strings.Join(words[:n], " "), p.Text))
		}
	}
	return most
}

// worded finds the value of the first label that has one or, without any, the cell that is most like a phrase of a list.
func (a cells) worded(terms *egypt.Terms, least float64, labels ...egypt.Label) entry {
	for _, l := range labels {
		for i := range a {
			if a[i].label != l {
				continue
			}
			if v := a.valueOf(i); len(v) > 0 && (!terms.Foreign(a[v[0]].text) || a[v[0]].line == a[i].line && !dateLike(a[v[0]].text)) {
				return a.take(v...)
			}
		}
	}
	best, most := -1, 0.0
	for i := range a {
		c := &a[i]
		if c.used || c.label != "" {
			continue
		}
		v := terms.Likeness(c.text)
		if v < 1 && (a.announced(i) || ofOtherKind(c.text)) { // عماد after the label of a name is no عمانى
			continue
		}
		if v < least && v >= hardlyLike && chosen(terms, c) {
			if best < 0 { // what was read is no such phrase, but the ink allows one
				best = i
			}
		} else if v >= least && v > most { // of two alike the first: a make may be called like a body
			best, most = i, v
		}
	}
	if best < 0 {
		return entry{}
	}
	return a.take(best)
}

// ofOtherKind reports whether a text is a name or a nationality, which phrases of other lists come near to: أميرة is no أجرة, and مصرية no مهنية.
func ofOtherKind(text string) bool {
	return egypt.IsName(text) || egypt.Nationalities().Holds(text)
}

// announced reports whether a cell is the value of a label.
func (a cells) announced(i int) bool {
	for k := range a {
		if a[k].introduces() && slices.Contains(a[k].values, i) {
			return true
		}
	}
	return false
}

// chosen reports whether the ink of a cell allows a phrase of a list more than anything else.
func chosen(terms *egypt.Terms, c *cell) bool {
	return c.score != nil && terms.Choose(c.text, math.Log(max(c.confidence, 1e-30)), c.score).Listed
}

// freeLines lists what is left of a card as lines in the order of reading, those that labels announce bound to their roles.
func (a cells) freeLines(names *egypt.Wording, labels map[egypt.Label]role) []freeLine {
	a.dropOthers()
	var out []freeLine
	for i := range a {
		r, ok := labels[a[i].label]
		if !ok {
			continue
		}
		if v := a.valueOf(i); len(v) > 0 {
			l := newFreeLine(a.take(v...), names)
			l.bound, l.label = r, a[i].y()
			out = append(out, l)
		}
	}
	for i := range a {
		if c := &a[i]; !c.used && c.label == "" && !stray(c) && (!likeLabel(c.text) || a.remarksFirst(i) || saysChange(c.text)) && (!c.ofNoField() || a.ofRemarks(i)) && !c.ofMinistry() {
			owner, begins := labels[a.ownerOf(i)], c.begins
			l := newFreeLine(a.take(a.beside(i)...), names)
			l.owner, l.begins = owner, begins
			out = append(out, l)
		}
	}
	firstAtMiddle(out)
	pitch := a.pitch()
	for i := range out {
		out[i].pitch = pitch
	}
	inOrder(out, func(l freeLine) entry { return l.entry })
	markCompany(out)
	return out[:min(len(out), mostFree)]
}

// firstLicence reports whether a text is the remark that a vehicle had no licence before.
func firstLicence(text string) bool { return egypt.Fold(text) == "اول ترخيص" }

// saysChange reports whether a text begins as remarks on what was changed do.
func saysChange(text string) bool {
	words := strings.Fields(text)
	return len(words) > 1 && ofChange(words[0])
}

// remarksFirst reports whether a cell is that remark: beside a date it is that one's label.
func (a cells) remarksFirst(i int) bool {
	return firstLicence(a[i].text) && !slices.ContainsFunc(a, func(o cell) bool { return anyDigit(o.text) && o.level(&a[i]) })
}

// ownerOf is the label of a name or an address whose value a cell without a label may go on with: it stands below that value, or begins the row
// after the one that ends with it, and no label stands between or beside it; "" where there is none.
func (a cells) ownerOf(i int) egypt.Label {
	c, best, lowest := &a[i], -1, 0.0
	if slices.ContainsFunc(a, func(o cell) bool { return o.introduces() && o.level(c) && o.centre() > c.centre() }) {
		return ""
	}
	for k := range a {
		l := &a[k]
		if l.label != egypt.LabelName && l.label != egypt.LabelAddress || len(l.values) == 0 {
			continue
		}
		v := &a[l.values[0]]
		drop := (c.y() - v.y()) * viewHeight / max(v.height(), c.height())
		if drop < 0.8 || drop > columnDrop || !c.under(v) && !a.wraps(l.values[len(l.values)-1], i) {
			continue
		}
		between := func(o cell) bool {
			return o.introduces() && o.y() > v.y()+0.01 && o.y() < c.y()-0.01 && (o.under(v) || math.Abs(o.right()-l.right()) < 0.03)
		}
		if v.y() > lowest && !slices.ContainsFunc(a, between) {
			best, lowest = k, v.y()
		}
	}
	if best < 0 {
		return ""
	}
	return a[best].label
}

// wraps reports whether a value is the last of its row and a cell the first of the next one, as in running text.
func (a cells) wraps(value, i int) bool {
	v, c := &a[value], &a[i]
	if len(a.leftOf(value)) > 0 {
		return false
	}
	return !slices.ContainsFunc(a, func(o cell) bool {
		return o.level(c) && o.left() > c.centre() || o.right() > c.right()+0.02 || o.y() > v.y()+0.02 && o.y() < c.y()-0.02
	})
}

// inOrder sorts lines from the top, those beside each other from right to left.
func inOrder[T any](lines []T, line func(T) entry) {
	slices.SortStableFunc(lines, func(x, y T) int { return cmp.Compare(line(x).y(), line(y).y()) })
	for from, to := 0, 0; from < len(lines); from = to {
		for to = from + 1; to < len(lines) && line(lines[from]).level(line(lines[to])); to++ {
		}
		slices.SortStableFunc(lines[from:to], func(x, y T) int { return cmp.Compare(line(y).right(), line(x).right()) })
	}
}

// cardSerial is what the serials of cards look like that stand without a label, in Western digits.
var cardSerial = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[A-Z]{1,2}|No\.?|[قم]) ?[0-9]{6,9}$|^[0-9]{6,9} ?[قم]$`)
})

// ofCardItself reports whether a cell says nothing of the holder or the vehicle: the card's own serial, what its signer is, a notice.
func (c *cell) ofCardItself() bool {
	share, digits := digitShare(c.text)
	return share == 1 && digits > longestHouse || cardSerial().MatchString(egypt.FoldDigits(c.text)) || egypt.Imprint(c.text)
}

// dropOthers leaves out the values that are no fields: of labels that say so, and what cards say of themselves.
func (a cells) dropOthers() {
	for i := range a {
		if slices.Contains(noFields(), a[i].label) || a[i].label == egypt.LabelNumber { // the holder's, if it was not taken before
			a.take(a.valueOf(i)...)
		}
	}
	for i := range a {
		if c := &a[i]; c.label == "" && strings.Trim(egypt.Fold(c.text), signs) == "التحرير" { // what is left of a label
			c.used = slices.ContainsFunc(a, func(o cell) bool { return o.level(c) && dateLike(o.text) })
		}
		if a[i].label == "" && a[i].ofCardItself() {
			a[i].used = true
		}
	}
}

// withCounts makes one value of a label of no field and the bare number behind it where they are a remark: عدد المحاور ٢ stands in the place of one, or below the labels of a column
// whose values end elsewhere.
func (s *sheet) withCounts(ctx context.Context, all cells) (out cells, err error) {
	foot, numbers := all.labelledFoot(), map[int]bool{}
	out = slices.Clone(all)
	for i := range all {
		c := &all[i]
		if c.label != egypt.LabelOther || !all.counts(i) || !all.ofRemarks(i) && (c.y() < foot || !all.offColumn(i)) {
			continue
		}
		v := &all[c.values[0]]
		whole := cell{entry: entry{row: row{slices.Concat(v.row, c.row).whole()}}, line: c.line}
		if whole.script, err = s.readWords(ctx, whole.row); err != nil {
			return nil, err
		}
		out[i], numbers[c.values[0]] = whole, true
	}
	if len(numbers) == 0 {
		return all, nil
	}
	for i := range slices.Backward(all) {
		if numbers[i] {
			out = slices.Delete(out, i, i+1)
		}
	}
	s.values = out.pair(s.known)
	return out, nil
}

// counts reports whether a label stands without a colon close to a bare number.
func (a cells) counts(i int) bool {
	const close = 1.5 // heights
	c := &a[i]
	if len(c.values) != 1 || strings.HasSuffix(c.text, ":") {
		return false
	}
	v := &a[c.values[0]]
	share, _ := digitShare(v.text)
	return share == 1 && v.level(c) && (c.left()-v.right())*viewWidth < close*c.height()
}

// offColumn reports whether the values of the other labels of a label's column all end at one place, and its own elsewhere.
func (a cells) offColumn(i int) bool {
	const fewest = 3
	c := &a[i]
	near := c.height() / viewWidth
	var ends []float64
	for k := range a {
		if o := &a[k]; k != i && o.introduces() && math.Abs(o.right()-c.right()) < 2*near && len(o.values) > 0 && a[o.values[0]].level(o) {
			ends = append(ends, a[o.values[0]].right())
		}
	}
	if len(ends) < fewest {
		return false
	}
	usual := middle(ends) // sorts them
	return ends[len(ends)-1]-ends[0] < 2*near && math.Abs(a[c.values[0]].right()-usual) > near
}

// ofRemarks reports whether a cell stands where a remark does: beside the label of the remarks, if no other value does, below it or its value, or in line with another remark above or
// below it.
func (a cells) ofRemarks(i int) bool {
	const next = 2.5 // heights
	c := &a[i]
	return slices.ContainsFunc(a, func(o cell) bool {
		drop := (c.y() - o.y()) * viewHeight / max(c.height(), o.height(), 1)
		aligned := math.Abs(o.right()-c.right())*viewWidth < max(c.height(), o.height())
		switch {
		case o.label == egypt.LabelRemarks && o.level(c):
			return o.left() > c.centre() && (len(o.values) == 0 || !a[o.values[0]].level(&o))
		case o.label == egypt.LabelRemarks:
			return drop > 0 && (drop < next && (aligned || c.under(&o)) || len(o.values) > 0 && c.under(&a[o.values[0]]))
		}
		return o.label == "" && aligned && math.Abs(drop) < next && !o.level(c) && remarkable(strings.Fields(egypt.Fold(o.text)))
	})
}

// labelledFoot is how far down the labels of fields reach.
func (a cells) labelledFoot() float64 {
	foot := 0.0
	for _, c := range a {
		if c.label != "" && c.label != egypt.LabelOther {
			foot = max(foot, c.y())
		}
	}
	return foot
}

// longestHouse is how many digits the numbers in an address have at the most.
const longestHouse = 5

// ofNoField reports whether a cell is a label that announces no field, with its value: it says so with a colon, or the value is a bare number. With a unit it is a remark.
func (c *cell) ofNoField() bool {
	if !anyDigit(c.text) {
		return false
	}
	words := strings.Fields(c.text)
	at, ok := egypt.LocateLabel(words, seats())
	if !ok || at.From > 0 {
		return false
	}
	share, _ := digitShare(strings.Join(words[at.To:], ""))
	return announced(words, at.To) || share == 1
}

// mostFree is how many lines are given roles: the choices grow fast with their number.
const mostFree = 10

// stray reports whether a cell is no field's line: a sign or two, or hardly readable.
func stray(c *cell) bool {
	n := len([]rune(c.text))
	linking := func(w string) bool { // سارية من ... إلى ..., whose dates were taken, what stands beside the parts of a plate, and what is left of a label
		return slices.Contains([]string{"من", "الي", "حتي", "في", "ساريه", "صالحه", "تسري", "حروف", "ارقام", "رقم", "عدد", "وذلك", "عن", "المده", "تاريخ", "بدايه", "نهايه", "انتهاء", "الترخيص", "الاصدار"}, w)
	}
	if words := strings.Fields(egypt.Fold(c.text)); len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !linking(w) }) {
		return true
	}
	return n < 2 || n == 2 && c.confidence < halfSure || n == shortWord && c.confidence < hardlyInk || c.confidence < scrap
}

// ofMinistry reports whether a line is the title that names the ministry.
func (c *cell) ofMinistry() bool {
	return c.y() < titleFoot && likeBeginning(c.text, egypt.LabelInterior) > hardlyLabel
}

// likeLabel reports whether a text is a label that could not be read well enough to count as one. Remarks may begin like some; what begins with a number, as of a
// house, is none.
func likeLabel(text string) bool {
	const like, alone = 0.7, 0.85
	first, _, _ := strings.Cut(text, " ")
	if share, _ := digitShare(first); ofVerdict(text) || share == 1 {
		return false
	}
	begin := []egypt.Label{egypt.LabelBank, egypt.LabelDepartment, egypt.LabelUnit, egypt.LabelDriving}
	whole := []egypt.Label{egypt.LabelPassengers, egypt.LabelLoad, egypt.LabelInsurance, egypt.LabelOther}
	return slices.ContainsFunc(egypt.Phrases(), func(p egypt.Phrase) bool {
		least := like
		switch {
		case !strings.Contains(p.Text, " "):
			return false
		case slices.Contains(whole, p.Label) && anyDigit(text): // عدد الركاب ٥ is a remark
			return false
		case slices.Contains(whole, p.Label):
			least = alone
		case slices.Contains(begin, p.Label):
			return false
		}
		return egypt.Likeness(text, p.Text) >= least
	})
}

// fairlyRead is the share of a licence's signs in cells that are likely right from which on it lies as it was read: of 89 drawn ones that
// do (23 November 2026) 84 have more than half and one less than a fifth, of those the wrong way up the most has a seventh. Of fewer signs
// than leastSigns the share says little.
const (
	fairlyRead = 0.45
	leastSigns = 20
)

// legible says from 0 to 1 how well a licence could be read: it is low where it lies the wrong way up. What is found there does not
// tell: any row of signs may be taken for a number.
func (a cells) legible() float64 {
	likely, signs := 0, 0
	for _, c := range a {
		parts := c.parts
		if len(parts) == 0 {
			parts = []script{c.script}
		}
		for _, p := range parts {
			signs += len(p.symbols)
			if p.confidence > 0.5 && len(p.symbols) > 2 {
				likely += len(p.symbols)
			}
		}
	}
	share := float64(likely) / float64(max(signs, 1))
	return min(1, share/fairlyRead) * min(1, float64(signs)/leastSigns)
}

// readNumberOf reads cells as a number of one of several lengths, with room at both ends for digits that were not seen.
func (s *sheet) readNumberOf(ctx context.Context, a cells, indices []int, lengths ...int) (d printedDate, err error) {
	e, left, right := a.takeNumber(indices)
	d.spelled = spelledOf(e.script)
	l := e.reaching(left, right)
	d.row = row{{l}}
	if d.figures, err = s.digits(ctx, l); err != nil {
		return d, err
	}
	if count(d.figures) > 1 { // a digit that stands alone is read no better from nearer, but more surely
		_, d.figures, err = s.readCloser(ctx, l, d.figures, lengths...)
	}
	return d, err
}

// takeNumber marks cells as used and returns them, and how far it may reach: to the next print on either side.
func (a cells) takeNumber(indices []int) (e entry, left, right float64) {
	left, right = 0, viewWidth
	e = a.take(indices...)
	for i := range a {
		c := &a[i]
		if !c.level(&a[indices[0]]) || slices.Contains(indices, i) {
			continue
		}
		if c.right() <= e.left()+0.01 {
			left = max(left, c.right()*viewWidth)
		} else if c.left() >= e.right()-0.01 {
			right = min(right, c.left()*viewWidth)
		}
	}
	e.cutAtSign()
	if end := e.right() * viewWidth; end < right && len(e.parts) == 0 {
		right = end
	}
	return e, left, right
}

// cutAtSign cuts off a colon or a dash of the label that stands right of the digits of a number, and what follows it. No parts are left then.
func (e *entry) cutAtSign() {
	if len(e.parts) != 1 || len(e.row) != 1 {
		return
	}
	symbols := e.parts[0].symbols
	for i, s := range slices.Backward(symbols) {
		if !unicode.IsDigit(s.Rune) {
			continue
		}
		if i+1 < len(symbols) && strings.ContainsRune(":-", symbols[i+1].Rune) {
			e.row = row{piece{cut(e.row[0].Line, 0, (s.End+symbols[i+1].Start)/2)}}
			e.script = script{text: wordOf(symbols[:i+1]).text, symbols: symbols[:i+1], confidence: e.confidence}
		}
		return
	}
}

// readDateOf reads cells as a date. Where that has another number of digits than dates have, it looks further to both sides,
// for digits that the detector did not see, and at other heights.
func (s *sheet) readDateOf(ctx context.Context, a cells, indices []int) (best printedDate, err error) {
	e, left, right := a.takeNumber(indices)
	best.spelled = spelledOf(e.script)
	if d, ok := best.spelled.(text.Spelled); ok && e.month {
		best.figures, best.row, best.named = d, e.row, true
		return best, nil
	}
	near := e.reaching(left, right)
	wide := near
	wide.Start = along(near.Start, near.End, max(left, near.Start.X-5*near.Height))
	wide.End = along(near.Start, near.End, min(right, near.End.X+near.Height))
	lengths := []int{monthDigits, monthDigits + 1, dayDigits}
	most := math.Inf(-1)
	line := near
	for _, l := range []text.Line{near, wide} {
		f, err := s.digits(ctx, l)
		if err != nil {
			return best, err
		}
		if m, _ := merit(f, lengths); m > most {
			line, best.figures, most = l, f, m
		}
		if most > certain {
			break
		}
	}
	line, best.figures, err = s.readCloser(ctx, line, best.figures, lengths...)
	best.row = row{{line}}
	return best, err
}

// readOverlooked reads a stretch in which the detector saw nothing as a number of at least so many digits.
func (s *sheet) readOverlooked(ctx context.Context, r row, least int) (d printedDate, err error) {
	f, err := s.digits(ctx, r[0].Line)
	if err != nil {
		return d, err
	}
	w, err := s.readWords(ctx, r)
	other := spelledOf(w)
	if err != nil || count(f) < least && (other == nil || len(other.Text()) < least) {
		return d, err
	}
	return printedDate{figures: f, row: r, spelled: other}, nil
}

// readOverlookedWords reads a stretch in which the detector saw nothing as words; empty where there is no print, or hardly
// any that is like a phrase of the list, if there is one.
func (s *sheet) readOverlookedWords(ctx context.Context, r row, terms *egypt.Terms) (e entry, err error) {
	e.row = r
	if e.script, err = s.readWords(ctx, r); err != nil || e.text == "" {
		return entry{}, err
	}
	if err := s.readAgain(ctx, &e); err != nil {
		return entry{}, err
	}
	if known := terms != nil && !terms.Foreign(e.text); sureness(e.script) < clearly && !known || unlikely(e.script) {
		return entry{}, nil
	}
	return e, nil
}

// readLatin looks once more at doubtful print in Latin letters, as high as these are: the detector sees them higher.
func (s *sheet) readLatin(ctx context.Context, e *entry) (err error) {
	if len(e.row) > 1 { // its pieces are one line, which runs from left to right
		e.row = row{e.row.whole()}
		if e.script, err = s.readWords(ctx, e.row); err != nil {
			return err
		}
	}
	return s.readAt(ctx, e, []float64{0.92, serialHeight, 0.65}, nil)
}
