package jpeg

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
)

// Bounds of the passes that a file asks for. Encoders write up to a dozen scans, while a hostile file could ask for a hundred thousand
// passes over the whole picture with a few bytes each. A pass visits each block of one component, at up to 70 ns; a picture of 25 million
// pixels in the usual ten scans takes 6 million visits. Who decodes several files for one picture holds their visits together to MaxVisits.
const (
	maxScans  = 100
	MaxVisits = 10_000_000
)

// ErrPasses refuses a file that asks for too many passes.
var ErrPasses error = unsupported(nil, "a JPEG of more passes than one of its size may have")

// UnsupportedError refuses a sound file of a variant that is not read. What, a format for Args, names it with its article.
type UnsupportedError struct {
	What string
	Args []any
	Err  error
}

// Error implements error.
func (e *UnsupportedError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("jpeg: "+e.What+": %v", append(e.Args, e.Err)...)
	}
	return fmt.Sprintf("jpeg: "+e.What, e.Args...)
}

// Unwrap returns what the decoder found, if it is more than the error says.
func (e *UnsupportedError) Unwrap() error { return e.Err }

func unsupported(cause error, what string, args ...any) *UnsupportedError {
	return &UnsupportedError{What: what, Args: args, Err: cause}
}

func unusual(cause error) error { return unsupported(cause, "a JPEG of an unusual variant") }

// File is a JPEG whose segments were gone through, marker by marker, and of which nothing was decoded yet.
type File struct {
	Width, Height int
	// EXIF is the body of the first EXIF segment, within the file's bytes; nil where there is none.
	EXIF []byte
	segments
	scans            int
	parts            int // components of all scans together
	coded            int // bytes of entropy-coded data seen
	samples, largest int // how many all components have, and the largest one
	colours
	progressive bool
	ids         []byte          // the components' names
	exact       map[byte]uint64 // by component a bit for each coefficient that is known to its last bit
}

// Open reads all segments of the file b, which it keeps, and of the entropy-coded data only where it ends. The errors of this package are
// an *UnsupportedError, the context's own, or damage.
func Open(b []byte) (*File, error) {
	w := &File{segments: segments{b: b, at: 2}}
	for {
		marker, data, ok := w.next()
		if !ok {
			break
		}
		if err := w.handle(marker, data); err != nil {
			return nil, err
		}
	}
	if w.Width == 0 {
		return nil, errors.New("jpeg: no size before the end")
	}
	return w, nil
}

func (w *File) handle(marker byte, data []byte) error {
	w.read(marker, data)
	switch {
	case marker == 0xe1:
		if w.EXIF == nil && bytes.HasPrefix(data, []byte("Exif\x00\x00")) {
			w.EXIF = data
		}
	case marker == markSOS:
		if w.scans++; w.scans > maxScans {
			return ErrPasses
		}
		if len(data) > 0 {
			w.parts += int(data[0])
		}
		w.note(data)
		w.skipCoded()
	case marker >= 0xc0 && marker <= 0xc2:
		if w.Width != 0 || len(data) < 6 {
			return errors.New("jpeg: frame header")
		}
		if data[0] != 8 {
			return unsupported(nil, "a JPEG of %d bits a sample", data[0])
		}
		w.Height, w.Width = int(binary.BigEndian.Uint16(data[1:])), int(binary.BigEndian.Uint16(data[3:]))
		w.progressive = marker == 0xc2
		w.measure(data[5:])
	case marker >= 0xc3 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc:
		return unsupported(nil, "a lossless, hierarchical or arithmetic-coded JPEG")
	}
	return nil
}

// Working is how many bytes decoding holds beside the planes of the picture: of a progressive picture two for each coefficient, of one
// component at a time, and the planes of colours that are mixed into others.
func (w *File) Working() (n int) {
	if w.progressive {
		n = 2 * w.largest
	}
	if w.mixed(w.ids) {
		n += w.samples
	}
	return n
}

// measure notes the components of a frame, given from their count on, and how many samples they have.
func (w *File) measure(components []byte) {
	n := int(components[0])
	if len(components) < 1+3*n {
		return // the decoder refuses it before it takes any memory
	}
	most := 1
	for i := range n {
		across, down := int(components[2+3*i]>>4), int(components[2+3*i]&15)
		w.samples += across * down
		most = max(most, across*down)
		w.ids = append(w.ids, components[1+3*i])
	}
	w.largest = w.Width * w.Height
	w.samples = w.largest * w.samples / most
}

// note keeps which coefficients a scan completes.
func (w *File) note(scan []byte) {
	n := 0
	if len(scan) > 0 {
		n = int(scan[0])
	}
	if len(scan) < 2*n+4 || scan[2*n+3]&15 != 0 {
		return
	}
	from, to := min(scan[2*n+1], 63), min(scan[2*n+2], 63)
	if w.exact == nil {
		w.exact = map[byte]uint64{}
	}
	for i := range n {
		for k := from; k <= to; k++ {
			w.exact[scan[1+2*i]] |= 1 << k
		}
	}
}

// skipCoded goes to the next marker that is not part of entropy-coded data.
func (w *File) skipCoded() {
	start := w.at
	for {
		i := bytes.IndexByte(w.b[w.at:], 0xff)
		if i < 0 || w.at+i+1 >= len(w.b) {
			w.at = len(w.b)
			break
		}
		w.at += i
		if next := w.b[w.at+1]; next != 0 && next != 0xff && (next < 0xd0 || next > 0xd7) {
			break
		}
		w.at++
	}
	w.coded += w.at - start
}

// Samples is how many samples all components have together.
func (w *File) Samples() int { return w.samples }

// Visits is how often decoding visits a block in its passes; 0 where there is but one.
func (w *File) Visits() int {
	if w.scans > 1 {
		return w.blocks() * w.parts
	}
	return 0
}

// Check refuses a file that asks for too many passes, and one that cannot hold what its header says: every block of 8 x 8 samples costs at
// least one bit.
func (w *File) Check() error {
	if w.Visits() > MaxVisits {
		return ErrPasses
	}
	if w.blocks() > 8*w.coded {
		return fmt.Errorf("jpeg: %d blocks in %d bytes", w.blocks(), w.coded)
	}
	return nil
}

// Decode checks the file and decodes its components. Where whole is given, it is called for each component as soon as that has all its
// samples, and may make it smaller: those of a progressive file come one after the other.
func (w *File) Decode(ctx context.Context, whole func(*Frame, *Component)) (*Frame, error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	d := &decoder{Frame: Frame{Width: w.Width, Height: w.Height}, in: segments{b: w.b, at: 2}, whole: w.whole(), done: whole}
	return &d.Frame, d.planes(ctx)
}

// blocks is how many blocks of 8 x 8 samples cover the picture.
func (w *File) blocks() int { return ((w.Width + 7) / 8) * ((w.Height + 7) / 8) }

// whole reports whether the scans carry every coefficient of every component down to its last bit: where the end marker is missing,
// whole scans of a progressive picture may be missing with it, and no decoder notices.
func (w *File) whole() bool {
	if !w.progressive {
		return w.scans > 0
	}
	for _, id := range w.ids {
		if w.exact[id] != 1<<64-1 {
			return false
		}
	}
	return len(w.ids) > 0
}
