package decode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/queue"
)

// Limits of the contract, used where a Decoder leaves a field at zero.
const (
	DefaultMaxBytes  = 8 << 20
	DefaultMaxPixels = 25_000_000
	DefaultMinSide   = 64
)

// MaxSide is the most pixels that a side of a picture may have: an A4 page at 1,200 dots an inch has 14,031. It leaves room to the
// 32,766 that OpenCV's warping takes, for a rim that is laid around a picture.
const MaxSide = 16_384

// maxWorking bounds the working memory of a decoder in bytes, beside the planes that it fills. Nearly every picture within the limits of
// the contract stays below it (a progressive JPEG of 25 million pixels takes 50 MB, a PNG 100); dearer are only large
// ones of kinds that no camera writes, such as 16 bits or CMYK.
const maxWorking = 104_000_000

// fineChroma is how many pixels a picture may have at most that keeps colour planes as large as its luma. Larger ones get planes of half
// the width and height, as cameras write them: no reader looks at colour more closely, and they take half the memory.
const fineChroma = 8_000_000

// largePixels is how many pixels a picture has at least that waits in Decoder.Large: decoding it may take 48 MB and more of working
// memory. The frames of cameras have fewer.
const largePixels = 4_000_000

// hugePixels is how many pixels a picture has at least that nobody else's is in memory beside, from its decoding until it is read: it takes
// 24 MB and more, its readers as much. Telephones take 12 million.
const hugePixels = 16_000_000

// dearWorking is how much working memory a decoder needs at least that no huge picture may be in memory beside it.
const dearWorking = 40_000_000

// Decoder decodes JPEG, PNG, WebP, BMP and TIFF; it implements appliance.PictureDecoder. The zero Decoder has the
// limits of the contract. It has no state of its own: one Decoder serves any number of goroutines.
//
// Working memory of one call, beside the file itself and the planes that are returned (at most 3 bytes a pixel, 1.5 for large pictures),
// is bounded: what would take more than maxWorking is CodePicturePixels. A header that
// promises more than its file can hold is refused before anything is allocated for it, except in WebP, whose coding
// has no lower bound of bits a pixel.
//
// What memory safety costs, in ms of one core at 1600 x 1200 against OpenCV's imgcodecs with its SIMD code, measured on
// a busy machine: JPEG 10 and 7, progressive 38 and 17, PNG 86 and 45, WebP 45 and 16, lossless WebP 56 and 18, BMP 10
// and 1, TIFF with LZW 51 and 22.
type Decoder struct {
	// MaxBytes limits the file, MaxPixels its width times height; MinSide is the least width and height in pixels.
	// MaxSide holds beside them.
	MaxBytes, MaxPixels, MinSide int
	// Large, if there is one, lets only so many large pictures be decoded at once as it has workers: each takes up to
	// maxWorking, however small its file is.
	Large *queue.Queue
	// Huge, if there is one, lets only so many pictures of hugePixels and more be in memory at once, until their tasks end. It is
	// taken before Large.
	Huge *queue.Queue
}

var _ appliance.PictureDecoder = Decoder{}

// header is what a picture says about itself, read without decoding a pixel.
type header struct {
	width, height int
	// orientation is the EXIF orientation, 1 to 8; 0 counts as 1.
	orientation int
	taken       time.Time
	// grey tells that colour planes would carry nothing although the decoder of the format may deliver colour.
	grey bool
	// working is how many bytes decoding holds beside the planes.
	working int
	// decode makes the picture, not yet turned upright.
	decode func(context.Context) (*appliance.Picture, error)
}

// Decode decodes the first page of image; see DecodePage.
func (d Decoder) Decode(ctx context.Context, image []byte) (*appliance.Picture, error) {
	return d.DecodePage(ctx, image, 1)
}

// DecodePage checks kind and size of image from its header, decodes the page and turns it upright. TIFF alone has more pages than
// one. Every error is an *appliance.Error with a code from 5001 to 5005, except that a done ctx gives ctx's own error and a full
// queue, or a wait in it that was too long, CodeUnavailable. image is only read and not kept.
//
// The kind comes from the content, never from a name. What the kinds cover:
//   - JPEG: baseline, extended and progressive Huffman coding at 8 bits; grey, YCbCr, RGB, and CMYK and YCCK with
//     Adobe's marker. Arithmetic and lossless coding and 12 bits are 5001.
//   - PNG: everything the standard has; of an animated one the default picture.
//   - WebP: lossy, lossless, with alpha. Animation is 5001.
//   - BMP: 1, 2, 4, 8, 24 and 32 bits without compression. Run lengths, 16 bits and OS/2 headers are 5001.
//   - TIFF: any page; strips or tiles; grey, palette, RGB, CMYK at 1 to 16 bits; no compression, LZW,
//     Deflate, PackBits, fax G3 and G4, JPEG in its present form (7). Separate planes, floating point, the old form of JPEG
//     and other colour spaces are 5001.
//
// A file that ends within its pixels is 5004 in every kind, but a JPEG may lack its end marker; bytes after the end of the picture are
// ignored.
func (d Decoder) DecodePage(ctx context.Context, image []byte, page int) (*appliance.Picture, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := d.CheckBytes(len(image)); err != nil {
		return nil, err
	}
	h, err := headerOf(image, page)
	if err != nil {
		return nil, err
	}
	if err := d.CheckSize(h.width, h.height); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p, err := d.run(ctx, h)
	if err != nil && ctx.Err() != nil && appliance.CodeOf(err) != appliance.CodeUnavailable {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	p.Taken = h.taken
	return p, nil
}

// CheckBytes holds the length of a file against the limit.
func (d Decoder) CheckBytes(n int) error {
	if limit := orDefault(d.MaxBytes, DefaultMaxBytes); n > limit {
		return pictureErrorf(appliance.CodePictureBytes, nil, "the picture is larger than %d bytes: send a smaller one", limit)
	}
	return nil
}

// CheckSize holds the size that a header states against the limits.
func (d Decoder) CheckSize(width, height int) error {
	maxPixels, minSide := orDefault(d.MaxPixels, DefaultMaxPixels), orDefault(d.MinSide, DefaultMinSide)
	switch {
	case width <= 0 || height <= 0:
		return broken(fmt.Errorf("size %d x %d", width, height))
	case width > maxPixels/height:
		return pictureErrorf(appliance.CodePicturePixels, nil,
			"the picture has %d x %d pixels; send at most %d pixels", width, height, maxPixels)
	case max(width, height) > MaxSide:
		return TooLong(width, height)
	case min(width, height) < minSide:
		return pictureErrorf(appliance.CodePictureTooThin, nil,
			"the picture has %d x %d pixels; send at least %d on each side", width, height, minSide)
	}
	return nil
}

// run decodes a picture and turns it upright, a large one when its turn has come. One whose turn did not come in time is
// CodeUnavailable.
func (d Decoder) run(ctx context.Context, h header) (p *appliance.Picture, err error) {
	if d.Large == nil || h.width*h.height < largePixels {
		return runDecoder(ctx, h)
	}
	huge := h.width*h.height >= hugePixels
	if huge || h.working >= dearWorking {
		give, err := d.Keep(ctx)
		if err != nil {
			return nil, err
		}
		if !huge {
			defer give()
		}
	}
	err = d.Alone(ctx, func(ctx context.Context) (err error) {
		p, err = runDecoder(ctx, h)
		runtime.GC() // else what this one worked with is still there while the next one works
		return err
	})
	return p, err
}

// Alone runs what may take as much memory as a large picture when its turn has come.
func (d Decoder) Alone(ctx context.Context, task func(context.Context) error) error {
	if d.Large == nil {
		return task(ctx)
	}
	begun := false
	err := d.Large.Do(ctx, func(ctx context.Context) error {
		begun = true
		return task(ctx)
	})
	if !begun {
		err = waited(err)
	}
	return err
}

// Keep waits until a huge picture may be in memory and holds that place for the task of ctx; give returns it before.
func (d Decoder) Keep(ctx context.Context) (give func(), err error) {
	if d.Huge == nil {
		return func() {}, nil
	}
	give, err = d.Huge.Keep(ctx)
	return give, waited(err)
}

// waited says that a wait for one's turn was too long.
func waited(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return appliance.Errorf(appliance.CodeUnavailable, "too many large pictures are waiting: try again in a second")
	}
	return err
}

// Huge reports whether a picture is so large that it has its place alone.
func Huge(p *appliance.Picture) bool { return p.Width*p.Height >= hugePixels }

// runDecoder runs the format's decoder and turns the picture upright. A panic in it is a defect of that decoder on bytes that it should
// have refused: it is answered like other damage, so that one bad picture does not end a daemon that serves others.
func runDecoder(ctx context.Context, h header) (p *appliance.Picture, err error) {
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, broken(fmt.Errorf("%w: %v", errPanic, r))
		}
	}()
	p, err = h.decode(ctx)
	if err == nil && (p.Width != h.width || p.Height != h.height) {
		return nil, broken(fmt.Errorf("decoded %d x %d, header says %d x %d", p.Width, p.Height, h.width, h.height))
	}
	if err == nil {
		halveChroma(p)
		orient(p, h.orientation)
	}
	return p, err
}

var errPanic = errors.New("decoder panicked")

// affordable refuses a picture whose decoder would hold more than maxWorking bytes. What a header promises in vain is broken before.
func affordable(working, width, height int) error {
	if working <= maxWorking {
		return nil
	}
	return pictureErrorf(appliance.CodePicturePixels, nil,
		"a picture of this kind with %d x %d pixels takes too much memory to decode; send fewer pixels or a baseline JPEG", width, height)
}

// broken is the answer to a file that its own decoder refuses.
func broken(cause error) error { return Broken(cause) }

// Broken is broken for packages that decode pictures by this one.
func Broken(cause error) error {
	return pictureErrorf(appliance.CodePictureBroken, cause,
		"the picture cannot be decoded: the file is damaged or cut short; send it again")
}

// Unsupported is the answer to a sound file of a kind or variant that is not read; what names it with its article.
func Unsupported(cause error, what string, args ...any) error {
	return pictureErrorf(appliance.CodePictureKind, cause,
		"the picture is %s, which is not supported; send a JPEG, PNG, WebP, BMP or TIFF picture", appliance.Phrasef(what, args...))
}

// TooLong is the answer to a picture with a side beyond MaxSide.
func TooLong(width, height int) error {
	return pictureErrorf(appliance.CodePicturePixels, nil,
		"the picture has %d x %d pixels; send at most %d on each side", width, height, MaxSide)
}

// NoPage is the answer to a page that a file of so many pages does not have.
func NoPage(pages int) error {
	return appliance.Errorf(appliance.CodeBadRequest, "page is too large: the last page of the file is page %d", pages)
}

func pictureErrorf(code appliance.Code, cause error, format string, args ...any) error {
	e := appliance.Errorf(code, format, args...)
	e.Op, e.Err = "decode picture", cause
	return e
}

func orDefault(v, otherwise int) int {
	if v == 0 {
		return otherwise
	}
	return v
}

// Reader reads until its context is done, so that a decoder stops soon after its caller has gone.
type Reader struct {
	Ctx context.Context
	R   io.Reader
}

// Read implements io.Reader.
func (c Reader) Read(p []byte) (int, error) {
	if err := c.Ctx.Err(); err != nil {
		return 0, err
	}
	return c.R.Read(p)
}
