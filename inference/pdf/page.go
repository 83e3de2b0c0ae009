package pdf

import (
	"bytes"
	"errors"
	"fmt"
)

// maxPages is the last page that may be asked for.
const maxPages = 10_000

// Bounds of a page's content.
const (
	maxImages = 64
	maxForms  = 8
)

// matrix maps x, y to a*x + c*y + e, b*x + d*y + f.
type matrix [6]float64

// then returns the map that does m first and then n.
func (m matrix) then(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// at maps a point.
func (m matrix) at(x, y float64) (float64, float64) {
	return m[0]*x + m[2]*y + m[4], m[1]*x + m[3]*y + m[5]
}

// area is how many times larger the map makes an area.
func (m matrix) area() float64 { return max(m[0]*m[3]-m[1]*m[2], m[1]*m[2]-m[0]*m[3]) }

// placed is a picture of a page: the unit square that its pixels fill, in points of the page.
type placed struct {
	stream
	to matrix
}

// page is what a page shows.
type page struct {
	box    [4]float64 // left, bottom, right, top
	rotate int        // quarters clockwise
	images []placed
	// words says that text is drawn that can be seen.
	words bool
}

// errPage says that a file has fewer pages.
type errPage struct{ pages int }

// Error implements error.
func (e errPage) Error() string { return fmt.Sprintf("pdf: %d pages", e.pages) }

// node is a place in the tree of pages with what it hands down.
type node struct {
	ref      any // of the node itself
	dict     dict
	box      any
	crop     any
	rotate   any
	material any
	depth    int
}

// page finds the n-th page, from 1. What is passed on the way is read as far as its kind asks for.
func (f *file) page(n int) (*page, error) {
	root := node{ref: f.catalog()["Pages"]}
	seen, count := map[int]bool{}, 0
	for todo := []node{root}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if err := f.err(); err != nil {
			return nil, err
		}
		at.dict, _ = f.get(at.ref).(dict)
		at.inherit()
		kids, inner := f.get(at.dict["Kids"]).([]any)
		if !inner {
			if at.dict == nil {
				continue
			}
			if count++; count == n {
				return f.lay(at)
			}
			continue
		}
		if at.depth > maxDepth {
			return nil, errBounds
		}
		for i := len(kids) - 1; i >= 0; i-- {
			r, ok := kids[i].(ref)
			if !ok || seen[int(r)] {
				continue
			}
			seen[int(r)] = true
			kid := at
			kid.ref, kid.depth = r, at.depth+1
			todo = append(todo, kid)
		}
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	return nil, errPage{count}
}

// inherit takes what the node itself says.
func (n *node) inherit() {
	for key, to := range map[name]*any{"MediaBox": &n.box, "CropBox": &n.crop, "Rotate": &n.rotate, "Resources": &n.material} {
		if v := n.dict[key]; v != nil {
			*to = v
		}
	}
}

// lay goes through the content of a page.
func (f *file) lay(at node) (*page, error) {
	p := &page{box: [4]float64{0, 0, 612, 792}}
	for _, box := range []any{at.box, at.crop} {
		if b := f.floats(box, 4); b != nil {
			p.box = [4]float64{min(b[0], b[2]), min(b[1], b[3]), max(b[0], b[2]), max(b[1], b[3])}
		}
	}
	if v, ok := f.get(at.rotate).(float64); ok {
		p.rotate = (int(v)/90%4 + 4) % 4
	}
	var content bytes.Buffer
	for _, v := range f.list(at.dict["Contents"]) {
		s, ok := f.get(v).(stream)
		if !ok {
			continue
		}
		b, err := f.unpack(s)
		if errors.Is(err, errBounds) || f.ctx.Err() != nil {
			return nil, errors.Join(err, f.ctx.Err())
		}
		content.Write(b)
		content.WriteByte('\n')
	}
	material, _ := f.get(at.material).(dict)
	w := walk{file: f, page: p, material: material}
	if err := w.run(content.Bytes(), matrix{1, 0, 0, 1, 0, 0}); err != nil {
		return nil, err
	}
	return p, nil
}

// walk goes through one content stream.
type walk struct {
	*file
	page     *page
	material dict
	depth    int
	args     []any
	now      state
	saved    []state
}

// state is what q saves and Q brings back.
type state struct {
	to     matrix
	hidden bool // text is not painted
}

func (w *walk) run(b []byte, to matrix) error {
	w.now.to = to
	l := w.lexer(b, 0)
	for {
		if err := w.err(); err != nil {
			return err
		}
		v, err := l.value(0)
		if errors.Is(err, errBounds) {
			return err
		}
		if err != nil {
			return nil //nolint:nilerr // what stands behind a damaged place is not drawn by anyone
		}
		op, ok := v.(keyword)
		if !ok {
			if w.args = append(w.args, v); len(w.args) > maxDepth {
				w.args = w.args[1:]
			}
			continue
		}
		if op == "" {
			return nil
		}
		if err := w.do(l, op); err != nil {
			return err
		}
		w.args = w.args[:0]
	}
}

// do carries out an operator as far as pictures and visible text are concerned.
func (w *walk) do(l *lexer, op keyword) error {
	switch op {
	case "q":
		if w.saved = append(w.saved, w.now); len(w.saved) > 4*maxDepth {
			return errBounds
		}
	case "Q":
		if n := len(w.saved); n > 0 {
			w.now, w.saved = w.saved[n-1], w.saved[:n-1]
		}
	case "cm":
		if m := w.floats(w.args, 6); m != nil {
			w.now.to = matrix(m).then(w.now.to)
		}
	case "Do":
		if len(w.args) > 0 {
			return w.paint(w.args[len(w.args)-1])
		}
	default:
		w.see(l, op)
	}
	return nil
}

// see notes what is seen on the page beside the pictures that are read.
func (w *walk) see(l *lexer, op keyword) {
	switch op {
	case "Tr":
		if m := w.floats(w.args, 1); m != nil {
			w.now.hidden = m[0] == 3 || m[0] == 7
		}
	case "Tj", "TJ", "'", "\"":
		w.page.words = w.page.words || !w.now.hidden
	case "BI": // a picture within the content: it is not read
		rest := len(l.b) - l.at
		if end := bytes.Index(l.b[l.at:], []byte("EI")); end >= 0 {
			l.at, rest = l.at+end+2, end
		}
		l.scanned -= rest
		w.page.words = true
	}
}

// content unpacks a form once, as a page may draw it many times. One that cannot be read draws nothing.
func (w *walk) content(at any, s stream) []byte {
	n, _ := at.(ref) // as only objects of their own are streams
	b, known := w.forms[n]
	if !known {
		b, _ = w.unpack(s)
		w.forms[n] = b
	}
	return b
}

// paint draws a picture or goes into a form.
func (w *walk) paint(v any) error {
	key, _ := v.(name)
	all, _ := w.get(w.material["XObject"]).(dict)
	s, ok := w.get(all[key]).(stream)
	if !ok {
		return nil
	}
	switch w.get(s.dict["Subtype"]) {
	case any(name("Image")):
		if w.page.images = append(w.page.images, placed{s, w.now.to}); len(w.page.images) > maxImages {
			return errBounds
		}
	case any(name("Form")):
		if w.depth >= maxForms {
			return errBounds
		}
		b := w.content(all[key], s)
		inner := walk{file: w.file, page: w.page, material: w.material, depth: w.depth + 1}
		if d, ok := w.get(s.dict["Resources"]).(dict); ok {
			inner.material = d
		}
		to := w.now.to
		if m := w.floats(s.dict["Matrix"], 6); m != nil {
			to = matrix(m).then(to)
		}
		return inner.run(b, to)
	}
	return nil
}
