package vision

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/bawab/bawab/appliance"
)

// Bounds of the passes that a JPEG asks for. Encoders write up to a dozen scans, while a hostile file could ask for a hundred thousand
// passes over the whole picture with a few bytes each. A pass visits each block of one component, at up to 70 ns; a picture of 25 million
// pixels in the usual ten scans takes 6 million visits.
const (
	maxScans  = 100
	maxVisits = 10_000_000
)

// jpegWalk goes from marker to marker through a JPEG.
type jpegWalk struct {
	jpegSegments
	scans            int
	parts            int // components of all scans together
	coded            int // bytes of entropy-coded data seen
	exif             bool
	h                header
	samples, largest int // how many all components have, and the largest one
	jpegColours
	progressive bool
	ids         []byte          // the components' names
	exact       map[byte]uint64 // by component a bit for each coefficient that is known to its last bit
}

// parseJPEG reads all segments of the file, and of the entropy-coded data only where it ends.
func parseJPEG(b []byte) (header, error) {
	w, err := walkJPEG(b)
	if err != nil {
		return header{}, err
	}
	w.h.working, w.h.decode = w.working(), w.decode
	return w.h, nil
}

func walkJPEG(b []byte) (*jpegWalk, error) {
	w := &jpegWalk{jpegSegments: jpegSegments{b: b, at: 2}}
	for {
		marker, data, ok := w.next()
		if !ok {
			break
		}
		if err := w.handle(marker, data); err != nil {
			return nil, err
		}
	}
	if w.h.width == 0 {
		return nil, broken(errors.New("jpeg: no size before the end"))
	}
	return w, nil
}

func (w *jpegWalk) handle(marker byte, data []byte) error {
	w.read(marker, data)
	switch {
	case marker == 0xe1:
		if !w.exif && bytes.HasPrefix(data, []byte("Exif\x00\x00")) {
			w.exif = true
			x := parseEXIF(data)
			w.h.orientation, w.h.taken = x.orientation, x.taken
		}
	case marker == markSOS:
		if w.scans++; w.scans > maxScans {
			return manyPasses()
		}
		if len(data) > 0 {
			w.parts += int(data[0])
		}
		w.note(data)
		w.skipCoded()
	case marker >= 0xc0 && marker <= 0xc2:
		if w.h.width != 0 || len(data) < 6 {
			return broken(errors.New("jpeg: frame header"))
		}
		if data[0] != 8 {
			return unsupported(nil, "a JPEG of %d bits a sample", data[0])
		}
		w.h.height, w.h.width = int(be16(data[1:])), int(be16(data[3:]))
		w.progressive = marker == 0xc2
		w.measure(data[5:])
	case marker >= 0xc3 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc:
		return unsupported(nil, "a lossless, hierarchical or arithmetic-coded JPEG")
	}
	return nil
}

// working is how many bytes a jpegDecoder holds beside the picture's planes: of a progressive picture two for each coefficient, of one
// component at a time, and the planes of colours that are mixed into others.
func (w *jpegWalk) working() (n int) {
	if w.progressive {
		n = 2 * w.largest
	}
	if w.mixed(w.ids) {
		n += w.samples
	}
	return n
}

// measure notes the components of a frame, given from their count on, and how many samples they have.
func (w *jpegWalk) measure(components []byte) {
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
	w.largest = w.h.width * w.h.height
	w.samples = w.largest * w.samples / most
}

// jpegColours is what a file says of its colours.
type jpegColours struct {
	jfif  bool
	adobe bool
	by    byte // Adobe's transform
}

// read takes the notes of a segment.
func (c *jpegColours) read(marker byte, data []byte) {
	switch {
	case marker == markAPP0 && len(data) >= 5:
		c.jfif = string(data[:5]) == "JFIF\x00"
	case marker == markAPP14 && len(data) >= 12 && string(data[:5]) == "Adobe":
		c.adobe, c.by = true, data[11]
	}
}

// mixed reports whether components of these names are colours that are mixed into those of a picture: red, green and blue, or inks.
func (c jpegColours) mixed(ids []byte) bool { return len(ids) == 4 || len(ids) == 3 && c.rgb(ids) }

// rgb reports whether three components of these names are red, green and blue: without a JFIF marker, Adobe's marker or their names say so.
func (c jpegColours) rgb(ids []byte) bool {
	return !c.jfif && (c.adobe && c.by == 0 || string(ids) == "RGB")
}

// note keeps which coefficients a scan completes.
func (w *jpegWalk) note(scan []byte) {
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
func (w *jpegWalk) skipCoded() {
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

// decode makes the picture.
func (w *jpegWalk) decode(ctx context.Context) (*appliance.Picture, error) {
	if w.scans > 1 && w.blocks()*w.parts > maxVisits {
		return nil, manyPasses()
	}
	d, err := w.planes(ctx, false)
	if err != nil {
		return nil, err
	}
	return d.picture(ctx)
}

// planes decodes the components. A file that cannot hold what its header says, every block of 8 x 8 samples costs at least one bit, is
// refused, and so is one that takes too much memory. fine colours stay as they are, however large the picture is.
func (w *jpegWalk) planes(ctx context.Context, fine bool) (*jpegDecoder, error) {
	if w.blocks() > 8*w.coded {
		return nil, broken(fmt.Errorf("jpeg: %d blocks in %d bytes", w.blocks(), w.coded))
	}
	if err := affordable(w.working(), w.h.width, w.h.height); err != nil {
		return nil, err
	}
	d := &jpegDecoder{in: jpegSegments{b: w.b, at: 2}, width: w.h.width, height: w.h.height, whole: w.whole(), fine: fine}
	return d, d.planes(ctx)
}

// blocks is how many blocks of 8 x 8 samples cover the picture.
func (w *jpegWalk) blocks() int { return ((w.h.width + 7) / 8) * ((w.h.height + 7) / 8) }

// whole reports whether the scans carry every coefficient of every component down to its last bit: where the end marker is missing,
// whole scans of a progressive picture may be missing with it, and no decoder notices.
func (w *jpegWalk) whole() bool {
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

func unusual(cause error) error {
	return unsupported(cause, "a JPEG of an unusual variant")
}

func manyPasses() error {
	return unsupported(nil, "a JPEG of more passes than one of its size may have")
}
