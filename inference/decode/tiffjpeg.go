package decode

import (
	"context"
	"errors"
	"fmt"
	"image/color"
	"slices"

	"github.com/bawab/bawab/inference/decode/jpeg"
)

// maxTables bounds the tables that a page keeps for all its blocks, which are looked through once for each: four of quantisation and eight
// of codes have 2.7 KB.
const maxTables = 8 << 10

// jpegVariant refuses what a TIFF with JPEG inside cannot be, or what scanners do not write. Colour differences are turned into
// RGB by the decoder of the blocks.
func (p *tiffPage) jpegVariant() error {
	samples := map[int]int{whiteIsZero: 1, blackIsZero: 1, photoRGB: 3, photoYCbCr: 3, photoCMYK: 4}[p.photometric]
	switch {
	case samples == 0:
		return Unsupported(nil, fmt.Sprintf("a TIFF with JPEG inside, of colour space %d", p.photometric))
	case p.bits != 8 || p.samples != samples:
		return Unsupported(nil, fmt.Sprintf("a TIFF with JPEG inside, of %d samples of %d bits", p.samples, p.bits))
	}
	p.differences = p.photometric == photoYCbCr
	if p.differences {
		p.photometric = photoRGB
	}
	return nil
}

// jpegFile makes a file of one block: the page's tables, what its three samples are, and the block.
func (p *tiffPage) jpegFile(data []byte) ([]byte, error) {
	const start, end = "\xff\xd8", "\xff\xd9"
	tables := p.tables
	if len(tables) >= 4 {
		if string(tables[:2]) != start || string(tables[len(tables)-2:]) != end {
			return nil, errors.New("jpeg: tables without their marks")
		}
		tables = tables[2 : len(tables)-2]
	}
	if len(data) < 4 || string(data[:2]) != start {
		return nil, errors.New("jpeg: block without its mark")
	}
	marker := []byte("\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00\x00")
	switch {
	case p.samples != 3:
		marker = nil
	case p.differences:
		marker[len(marker)-1] = 1
	}
	return slices.Concat([]byte(start), marker, tables, data[2:]), nil
}

// unpackJPEG decodes one block into the samples of its first rows. The passes of all blocks together are bounded like those of one
// picture.
func (p *tiffPage) unpackJPEG(ctx context.Context, data, dst []byte, rows int) error {
	file, err := p.jpegFile(data)
	if err != nil {
		return err
	}
	f, err := jpeg.Open(file)
	if err != nil {
		return refusedJPEG(err)
	}
	if f.Width != p.blockWidth || f.Height < rows || f.Height > p.blockHeight {
		return fmt.Errorf("jpeg: block of %d x %d", f.Width, f.Height)
	}
	if p.visits += f.Visits(); p.visits > jpeg.MaxVisits {
		return refusedJPEG(jpeg.ErrPasses)
	}
	if err := affordable(p.working()+f.Samples()+f.Working(), p.width, p.height); err != nil {
		return err
	}
	frame, err := f.Decode(ctx, nil)
	if err != nil {
		return refusedJPEG(err)
	}
	return p.fill(frame, dst, rows)
}

// fill writes the first rows of a block as samples of the page.
func (p *tiffPage) fill(f *jpeg.Frame, dst []byte, rows int) error {
	if len(f.Components) != p.samples {
		return fmt.Errorf("jpeg: a block of %d colours on a page of %d", len(f.Components), p.samples)
	}
	mixed := f.Mixed()
	inks, err := f.Inks()
	if p.samples == 4 && err != nil {
		return refusedJPEG(err)
	}
	var wide [4][]byte
	for y := range rows {
		row, of := dst[y*p.rowBytes:][:p.rowBytes], f.Row(y, &wide)
		switch {
		case p.samples == 1:
			copy(row, of[0])
		case p.samples == 4:
			for x := range p.blockWidth {
				v := inks([4]byte{of[0][x], of[1][x], of[2][x], of[3][x]})
				copy(row[4*x:], v[:])
			}
		case mixed:
			for x := range p.blockWidth {
				row[3*x], row[3*x+1], row[3*x+2] = of[0][x], of[1][x], of[2][x]
			}
		default:
			for x := range p.blockWidth {
				row[3*x], row[3*x+1], row[3*x+2] = color.YCbCrToRGB(of[0][x], of[1][x], of[2][x])
			}
		}
	}
	return nil
}
