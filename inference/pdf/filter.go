package pdf

import (
	"bytes"
	"compress/zlib"
	"encoding/ascii85"
	"errors"
	"fmt"
	"io"

	"golang.org/x/image/tiff/lzw"

	"github.com/bawab/bawab/inference/decode"
)

// filter is one step of how a stream is coded.
type filter struct {
	name   name
	params dict
}

// maxFilters is how many steps a stream may have.
const maxFilters = 4

// filters returns the steps of a stream, the outermost first; of too many only as many as tell that they are.
func (f *file) filters(d dict) []filter {
	list := f.list(first(d, "Filter", "F"))
	params := f.list(first(d, "DecodeParms", "DP"))
	var out []filter
	for i, v := range list[:min(len(list), maxFilters+1)] {
		n, _ := f.get(v).(name)
		step := filter{name: n}
		if i < len(params) {
			step.params, _ = f.get(params[i]).(dict)
		}
		if long, ok := short[n]; ok {
			step.name = long
		}
		out = append(out, step)
	}
	return out
}

var short = map[name]name{
	"AHx": "ASCIIHexDecode", "A85": "ASCII85Decode", "LZW": "LZWDecode", "Fl": "FlateDecode",
	"RL": "RunLengthDecode", "CCF": "CCITTFaxDecode", "DCT": "DCTDecode",
}

func first(d dict, keys ...name) any {
	for _, k := range keys {
		if v, ok := d[k]; ok {
			return v
		}
	}
	return nil
}

// list returns an array, or one object as an array.
func (f *file) list(v any) []any {
	switch v := f.get(v).(type) {
	case nil:
		return nil
	case []any:
		return v
	default:
		return []any{v}
	}
}

// unpack undoes all filters of a stream that holds no pixels.
func (f *file) unpack(s stream) ([]byte, error) {
	b := s.raw
	steps := f.filters(s.dict)
	if len(steps) > maxFilters {
		return nil, errBounds
	}
	if len(steps) == 0 {
		return b, f.came(len(b))
	}
	for _, step := range steps {
		out, err := f.undo(step, b)
		if err != nil {
			return nil, err
		}
		if b, err = f.unpredict(step.params, out); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// came counts bytes that came out of a stream.
func (f *file) came(n int) error {
	if f.inflated -= n; f.spent() {
		return errBounds
	}
	return nil
}

// undo undoes one filter. A stream that is cut short gives what there is of it.
func (f *file) undo(step filter, b []byte) ([]byte, error) {
	if f.scanned -= len(b); f.spent() {
		return nil, errBounds
	}
	var r io.Reader
	switch step.name {
	case "ASCIIHexDecode":
		b, _, _ = bytes.Cut(b, []byte(">"))
		out := unhex(b)
		return out, f.came(len(out))
	case "ASCII85Decode":
		b, _, _ = bytes.Cut(bytes.TrimPrefix(bytes.TrimSpace(b), []byte("<~")), []byte("~"))
		r = ascii85.NewDecoder(bytes.NewReader(b))
	case "FlateDecode":
		z, err := zlib.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil, errSyntax
		}
		r = z
	case "LZWDecode":
		l := lzw.NewReader(bytes.NewReader(b), lzw.MSB, 8)
		defer l.Close()
		r = l
	default:
		return nil, fmt.Errorf("%w: filter %q", errSyntax, step.name)
	}
	var out bytes.Buffer
	n, err := io.Copy(&out, io.LimitReader(decode.Reader{Ctx: f.ctx, R: r}, int64(f.inflated)+1))
	if err := f.came(int(n)); err != nil {
		return nil, err
	}
	if err != nil && f.ctx.Err() != nil {
		return nil, errors.Join(err, f.ctx.Err())
	}
	return out.Bytes(), nil
}

// unpredict undoes the differences of PNG's filters, which tables of objects use.
func (f *file) unpredict(params dict, b []byte) ([]byte, error) {
	kind, _ := f.get(params["Predictor"]).(float64)
	if kind < 2 {
		return b, nil
	}
	columns, bits, colours := f.number(params, "Columns", 1), f.number(params, "BitsPerComponent", 8), f.number(params, "Colors", 1)
	if kind < 10 || bits != 8 || columns < 1 || columns > 1<<16 || colours < 1 || colours > 4 {
		return nil, errSyntax
	}
	row := columns * colours
	if len(b) <= row {
		return nil, nil
	}
	out := make([]byte, 0, len(b))
	before := make([]byte, row)
	for ; len(b) > row; b = b[row+1:] {
		line := append([]byte(nil), b[1:row+1]...)
		undiffer(line, before, b[0], colours)
		out, before = append(out, line...), line
	}
	return out, nil
}

// undiffer undoes the differences of a row by one of PNG's filters; before is the row above, of pixels of so many bytes.
func undiffer(line, before []byte, kind byte, pixel int) {
	for i := range line {
		var left, corner byte
		if i >= pixel {
			left, corner = line[i-pixel], before[i-pixel]
		}
		switch kind {
		case 1:
			line[i] += left
		case 2:
			line[i] += before[i]
		case 3:
			line[i] += byte((int(left) + int(before[i])) / 2)
		case 4:
			line[i] += paeth(left, before[i], corner)
		}
	}
}

// paeth is the neighbour that lies nearest to left + above - corner.
func paeth(left, above, corner byte) byte {
	p := int(left) + int(above) - int(corner)
	dl, da, dc := distance(p, left), distance(p, above), distance(p, corner)
	switch {
	case dl <= da && dl <= dc:
		return left
	case da <= dc:
		return above
	}
	return corner
}

func distance(p int, v byte) int { return max(p-int(v), int(v)-p) }

// number returns a whole number of a dictionary, or otherwise where it has none.
func (f *file) number(d dict, key name, otherwise int) int {
	if v, ok := f.get(d[key]).(float64); ok {
		return int(v)
	}
	return otherwise
}
