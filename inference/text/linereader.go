package text

import (
	"context"
	"fmt"

	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/vision"
)

// LineReader reads lines of general text. It is safe for concurrent use.
type LineReader struct {
	cutter   *cutter
	baseline *baseline
	rows     *Rows // finds where letters of lines that were seen stand; nil where baseline does
	alphabet []rune
}

// NewLineReader makes a reader over the "text" network: int8 1 x 40 x 320 x 1 in, int8 1 x 1 x 80 x C logits out, or narrower, where
// labels names the C - 1 signs after the blank in the order of their classes; and over the "baseline" network: int8 1 x 40 x 160 x 1 in,
// int8 1 x 1 x 20 x 3 measures out.
func NewLineReader(net, baseline *inference.Network, labels string) (*LineReader, error) {
	r := &LineReader{alphabet: []rune(labels)}
	shape := net.Output().Shape
	if classes := shape[len(shape)-1]; classes != 1+len(r.alphabet) {
		return nil, fmt.Errorf("make line reader: model %s has %d classes, its labels name %d with the blank",
			net.Name(), classes, 1+len(r.alphabet))
	}
	r.cutter = newCutter(net, textStrip())
	var err error
	r.baseline, err = newBaseline(baseline)
	return r, err
}

// Level returns a line where its letters stand and as high as they are, which the detector knows roughly. h maps the line to the
// plane. Lines that are cut so are read best.
func (r *LineReader) Level(ctx context.Context, p vision.Plane, h vision.Homography, l Line) (Line, error) {
	if r.rows != nil && !l.Sought {
		return l.Moved(r.rows.Level(r.RowsOf(p, h, l))), nil
	}
	return r.baseline.find(ctx, p, h, l)
}

// Read reads the line l of the plane p. A line longer than the network's window is read in tiles that overlap.
func (r *LineReader) Read(ctx context.Context, p vision.Plane, l Line) (*Reading, error) {
	return r.ReadIn(ctx, p, identity(), l)
}

// ReadIn reads a line that is given in other coordinates than the plane's, such as those of a rectified card: h maps
// them to the plane. The strip is sampled straight from the plane.
func (r *LineReader) ReadIn(ctx context.Context, p vision.Plane, h vision.Homography, l Line) (*Reading, error) {
	lattice, share, err := r.cutter.read(ctx, p, h, l)
	if err != nil {
		return nil, fmt.Errorf("read line: %w", err)
	}
	return newReading(lattice, r.alphabet, share), nil
}
