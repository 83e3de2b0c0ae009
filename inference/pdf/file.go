package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
)

// place is where an object lies: at an offset of the file, or as the index-th of an object stream.
type place struct {
	offset        int
	within, index int
}

// file is an open PDF.
type file struct {
	ctx context.Context
	b   []byte
	budget
	places  map[int]place
	trailer dict
	objects map[int]any
	busy    map[int]bool
	packs   map[int]*pack
	forms   map[ref][]byte // what they unpack to
}

// pack is an object stream.
type pack struct {
	b       []byte
	offsets map[int]int // by object number
}

var errEncrypted = errors.New("pdf: encrypted")

// open reads the table of objects; where it is damaged the objects are looked for.
func open(ctx context.Context, b []byte) (*file, error) {
	f := &file{ctx: ctx, b: b, budget: budget{maxTokens, maxScanned, maxInflated, maxPixels}}
	f.reset()
	if start, err := f.start(); err != nil || f.sections(start) != nil || f.catalog() == nil {
		if err := f.search(); err != nil {
			return nil, err
		}
	}
	if f.trailer["Encrypt"] != nil {
		return nil, errEncrypted
	}
	if f.catalog() == nil {
		return nil, fmt.Errorf("%w: no catalog", errSyntax)
	}
	return f, nil
}

func (f *file) reset() {
	f.places, f.trailer, f.objects = map[int]place{}, dict{}, map[int]any{}
	f.busy, f.packs, f.forms = map[int]bool{}, map[int]*pack{}, map[ref][]byte{}
}

// catalog returns the root of the document, nil where there is none.
func (f *file) catalog() dict {
	d, _ := f.get(f.trailer["Root"]).(dict)
	if d["Pages"] == nil {
		return nil
	}
	return d
}

func (f *file) lexer(b []byte, at int) *lexer { return &lexer{b: b, at: at, budget: &f.budget} }

// start returns where the newest table begins.
func (f *file) start() (int, error) {
	i := bytes.LastIndex(f.b, []byte("startxref"))
	if i < 0 {
		return 0, errSyntax
	}
	v, err := f.lexer(f.b, i+len("startxref")).object(0)
	n, ok := v.(float64)
	if err != nil || !ok || n < 0 || int(n) >= len(f.b) {
		return 0, errSyntax
	}
	return int(n), nil
}

// sections reads the tables from the newest to the oldest: what is named first holds.
func (f *file) sections(at int) error {
	seen := map[int]bool{}
	for todo := []int{at}; len(todo) > 0; {
		at, todo = todo[0], todo[1:]
		if seen[at] || at < 0 || at >= len(f.b) {
			continue
		}
		if seen[at] = true; len(seen) > maxDepth {
			return errBounds
		}
		d, err := f.section(at)
		if err != nil {
			return err
		}
		for k, v := range d {
			if f.trailer[k] == nil {
				f.trailer[k] = v
			}
		}
		for _, k := range []name{"XRefStm", "Prev"} {
			if n, ok := d[k].(float64); ok {
				todo = append(todo, int(n))
			}
		}
	}
	return nil
}

// section reads one table, of either form, and returns its trailer.
func (f *file) section(at int) (dict, error) {
	l := f.lexer(f.b, at)
	v, err := l.object(0)
	if err != nil {
		return nil, err
	}
	if v != any(keyword("xref")) {
		s, err := f.indirect(at)
		if s, ok := s.(stream); ok && err == nil {
			return s.dict, f.packedTable(s)
		}
		return nil, errSyntax
	}
	return f.table(l)
}

// table reads a table that is text, up to its trailer.
func (f *file) table(l *lexer) (dict, error) {
	for {
		v, err := l.object(0)
		if err != nil {
			return nil, err
		}
		if v == any(keyword("trailer")) {
			break
		}
		first, ok1 := v.(float64)
		if v, err = l.object(0); err != nil {
			return nil, err
		}
		n, ok2 := v.(float64)
		if !ok1 || !ok2 {
			return nil, errSyntax
		}
		if err := f.rows(l, int(first), int(n)); err != nil {
			return nil, err
		}
	}
	v, err := l.object(0)
	d, ok := v.(dict)
	if err != nil || !ok {
		return nil, errSyntax
	}
	return d, nil
}

// rows reads n entries of a table.
func (f *file) rows(l *lexer, first, n int) error {
	for i := range n {
		var row [3]any
		for k := range row {
			v, err := l.object(0)
			if err != nil {
				return err
			}
			row[k] = v
		}
		offset, ok := row[0].(float64)
		if !ok {
			return errSyntax
		}
		if row[2] == any(keyword("n")) {
			f.note(first+i, place{offset: int(offset)})
		}
	}
	return nil
}

func (f *file) note(n int, p place) {
	if _, known := f.places[n]; !known {
		f.places[n] = p
	}
}

// packedTable reads the entries of a table that is a stream.
func (f *file) packedTable(s stream) error {
	b, err := f.unpack(s)
	if err != nil {
		return err
	}
	widths, row := f.ints(s.dict["W"]), 0
	for _, w := range widths {
		if w < 0 || w > 8 {
			return errSyntax
		}
		row += w
	}
	if len(widths) != 3 || row == 0 {
		return errSyntax
	}
	index := f.ints(s.dict["Index"])
	if index == nil {
		index = []int{0, f.number(s.dict, "Size", 0)}
	}
	for ; len(index) >= 2; index = index[2:] {
		for i := 0; i < index[1] && len(b) >= row; i++ {
			f.packedRow(index[0]+i, widths, b[:row])
			b = b[row:]
		}
	}
	return nil
}

// packedRow notes an object by its entry, three numbers of those widths in bytes.
func (f *file) packedRow(n int, widths []int, b []byte) {
	var v [3]int
	for k, w := range widths {
		for _, c := range b[:w] {
			v[k] = v[k]<<8 | int(c)
		}
		b = b[w:]
	}
	if widths[0] == 0 {
		v[0] = 1
	}
	switch v[0] {
	case 1:
		f.note(n, place{offset: v[1]})
	case 2:
		f.note(n, place{within: v[1], index: v[2]})
	}
}

// heads calls each for the places of the file where the head of an object stands: where its number begins, where the head ends, and the
// number.
func (f *file) heads(each func(at, end, n int) error) error {
	for at := 0; ; {
		i := bytes.Index(f.b[at:], []byte("obj"))
		if i < 0 {
			return nil
		}
		end := at + i
		at = end + len("obj")
		_, before, ok := number(f.b[:end])
		if !ok {
			continue
		}
		n, start, ok := number(f.b[:before])
		if !ok {
			continue
		}
		if f.tokens -= 8; f.tokens < 0 {
			return errBounds
		}
		if err := each(start, at, n); err != nil {
			return err
		}
	}
}

// number reads the digits at the end of b, with the white space that must follow them, and returns where they begin.
func number(b []byte) (n, start int, ok bool) {
	end := len(b)
	for end > 0 && space(b[end-1]) {
		end--
	}
	start = end
	for start > 0 && end-start < 10 && b[start-1] >= '0' && b[start-1] <= '9' {
		start--
	}
	n, err := strconv.Atoi(string(b[start:end]))
	return n, start, err == nil && end < len(b)
}

// search looks for the objects of a file whose table is damaged; of two with one number the later holds.
func (f *file) search() error {
	f.reset()
	var packed []int
	err := f.heads(func(at, end, n int) error {
		f.places[n] = place{offset: at}
		head := f.b[end:min(len(f.b), end+200)]
		if bytes.Contains(head, []byte("/ObjStm")) {
			packed = append(packed, n)
		}
		if end := bytes.Index(head, []byte("endobj")); end >= 0 {
			head = head[:end]
		}
		if bytes.Contains(head, []byte("/Catalog")) {
			f.trailer["Root"] = ref(n)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, n := range packed {
		f.searchPack(n)
	}
	return f.searchTrailers()
}

// searchTrailers joins all trailers of the file, the later ones first.
func (f *file) searchTrailers() error {
	for at := 0; ; {
		i := bytes.Index(f.b[at:], []byte("trailer"))
		if i < 0 {
			return f.err()
		}
		at += i + len("trailer")
		v, err := f.lexer(f.b, at).object(0)
		if errors.Is(err, errBounds) {
			return err
		}
		if d, ok := v.(dict); ok && err == nil {
			for k, v := range d {
				f.trailer[k] = v
			}
		}
	}
}

// searchPack notes what an object stream holds, where no table says so.
func (f *file) searchPack(n int) {
	p := f.pack(n)
	if p == nil {
		return
	}
	for inner := range p.offsets {
		f.note(inner, place{within: n})
		if d, ok := f.get(ref(inner)).(dict); ok && f.get(d["Type"]) == any(name("Catalog")) {
			f.trailer["Root"] = ref(inner)
		}
	}
}

func (f *file) err() error {
	if f.spent() {
		return errBounds
	}
	return f.ctx.Err()
}

// get returns what an object is in the end; what cannot be read is nil.
func (f *file) get(v any) any {
	for range 16 {
		r, ok := v.(ref)
		if !ok {
			return v
		}
		v = f.load(int(r))
	}
	return nil
}

func (f *file) load(n int) any {
	if v, ok := f.objects[n]; ok {
		return v
	}
	p, ok := f.places[n]
	if !ok || f.busy[n] || f.err() != nil {
		return nil
	}
	f.busy[n] = true
	defer delete(f.busy, n)
	var v any
	if p.within == 0 {
		v, _ = f.indirect(p.offset)
	} else if pack := f.pack(p.within); pack != nil {
		if at, ok := pack.offsets[n]; ok {
			v, _ = f.lexer(pack.b, at).value(0)
		}
	}
	f.objects[n] = v
	return v
}

// pack opens an object stream; nil where it is none.
func (f *file) pack(n int) *pack {
	if p, ok := f.packs[n]; ok {
		return p
	}
	f.packs[n] = nil
	s, ok := f.get(ref(n)).(stream)
	if !ok {
		return nil
	}
	b, err := f.unpack(s)
	count, ok1 := f.get(s.dict["N"]).(float64)
	first, ok2 := f.get(s.dict["First"]).(float64)
	if err != nil || !ok1 || !ok2 {
		return nil
	}
	p := &pack{b: b, offsets: map[int]int{}}
	l := f.lexer(b, 0)
	for range int(count) {
		v, err1 := l.object(0)
		w, err2 := l.object(0)
		n, ok1 := v.(float64)
		at, ok2 := w.(float64)
		if err1 != nil || err2 != nil || !ok1 || !ok2 || at < 0 {
			break
		}
		p.offsets[int(n)] = int(first) + int(at)
	}
	f.packs[n] = p
	return p
}

// indirect reads the object whose number stands at an offset of the file.
func (f *file) indirect(at int) (any, error) {
	if at < 0 || at >= len(f.b) {
		return nil, errSyntax
	}
	l := f.lexer(f.b, at)
	for _, want := range []any{0.0, 0.0, keyword("obj")} {
		v, err := l.object(0)
		if err != nil {
			return nil, err
		}
		if _, number := v.(float64); v != want && !(number && want == any(0.0)) {
			return nil, errSyntax
		}
	}
	v, err := l.value(0)
	d, ok := v.(dict)
	if err != nil || !ok {
		return v, err
	}
	was := l.at
	if k, err := l.object(0); err != nil || k != any(keyword("stream")) {
		l.at = was
		return d, nil
	}
	return stream{dict: d, raw: f.body(d, l.at)}, nil
}

// body returns the bytes of a stream that begins behind its keyword. A length that does not end at endstream is not believed.
func (f *file) body(d dict, at int) []byte {
	b := f.b[at:]
	b = bytes.TrimPrefix(bytes.TrimPrefix(b, []byte("\r")), []byte("\n"))
	if n, ok := f.get(d["Length"]).(float64); ok && n >= 0 && int(n) <= len(b) {
		tail := b[int(n):min(len(b), int(n)+32)]
		if bytes.HasPrefix(bytes.TrimLeft(tail, " \r\n\t\x00"), []byte("endstream")) {
			return b[:int(n)]
		}
	}
	end := bytes.Index(b, []byte("endstream"))
	if end < 0 {
		end = len(b)
	}
	f.scanned -= end
	return bytes.TrimRight(b[:end], "\r\n")
}

// ints returns the numbers of an array, nil where it is none.
func (f *file) ints(v any) []int {
	a, _ := f.get(v).([]any)
	var out []int
	for _, v := range a {
		n, ok := f.get(v).(float64)
		if !ok {
			return nil
		}
		out = append(out, int(n))
	}
	return out
}

// floats returns n numbers of an array, nil where it is no such array.
func (f *file) floats(v any, n int) []float64 {
	a, _ := f.get(v).([]any)
	if len(a) != n {
		return nil
	}
	out := make([]float64, n)
	for i := range a {
		v, ok := f.get(a[i]).(float64)
		if !ok {
			return nil
		}
		out[i] = v
	}
	return out
}
