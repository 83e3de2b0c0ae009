package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/inference/edit"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/inference/eval"
)

// Texts measures on pictures of text.
type Texts struct {
	eval.Call
	Tesseract bool // let Tesseract read the same pictures
	pages     bool
	frame     int    // white samples added on each side
	mode      string // Tesseract's page segmentation mode
	languages string // Tesseract's models
}

// NewLines measures on pictures of one line each.
func NewLines() *Texts { return &Texts{frame: 20, mode: "7", languages: "ara"} }

// NewPages measures on pages.
func NewPages() *Texts { return &Texts{mode: "3", languages: "ara+eng", pages: true} }

// specimens lists the pictures of the folder.
func (v *Texts) specimens() ([]textSpecimen, error) {
	if v.pages {
		return eval.ReadTruth(&v.Call, "pages", func(*textSpecimen) error { return nil })
	}
	return linePictures(v.Dir)
}

// textSpecimen is one picture with its lines in reading order.
type textSpecimen struct {
	File  string     `json:"file"`
	Lines []textLine `json:"lines"`
}

// textLine is one printed line in logical order.
type textLine struct {
	Text string `json:"text"`
}

// texts returns what the lines say.
func (s *textSpecimen) texts() []string {
	out := make([]string, len(s.Lines))
	for i, l := range s.Lines {
		out[i] = l.Text
	}
	return out
}

// linePictures lists the pictures of single lines in a folder and the folders in it, by name.
func linePictures(dir string) ([]textSpecimen, error) {
	const suffix = ".gt.txt"
	var all []textSpecimen
	err := filepath.WalkDir(dir, func(name string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, suffix) {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		file, err := filepath.Rel(dir, strings.TrimSuffix(name, suffix)+".png")
		all = append(all, textSpecimen{File: file, Lines: []textLine{{string(text)}}})
		return err
	})
	if err != nil || len(all) == 0 {
		return nil, &appliance.Error{
			Op: "list lines", Msg: "there is no NAME.gt.txt that can be read in " + dir,
			Hint: "see `bawab eval lines --help` for what the folder must hold", Err: err,
		}
	}
	return all, nil
}

// textOutcome is what became of one specimen.
type textOutcome struct {
	textSpecimen
	err     error
	lines   []string
	elapsed time.Duration
	rival   rivalOutcome
}

// Failure implements eval.Outcome.
func (o textOutcome) Failure() (string, error) { return o.File, o.err }

// rivalOutcome is what Tesseract made of it.
type rivalOutcome struct {
	err     error
	lines   []string
	elapsed time.Duration
}

// Run measures.
func (v *Texts) Run(ctx context.Context) error {
	specimens, err := v.specimens()
	if err != nil {
		return err
	}
	without := ""
	if v.Tesseract {
		if without = v.noTesseract(ctx); without != "" {
			fmt.Fprintln(v.Errs, "bawab: without Tesseract: "+without)
			v.Tesseract = false
		}
	}
	r, err := eval.OpenReport[textScore](&v.Call, formTexts)
	if err != nil {
		return err
	}
	outcomes, err := eval.ExamineAll(ctx, &v.Call, specimens, v.examine)
	if err != nil {
		return err
	}
	now := scoreTexts(outcomes, v.pages)
	if v.Tesseract {
		now.Tesseract = scoreRival(outcomes, v.pages)
	}
	return r.Deliver(now, func(w io.Writer) { printMistakes(w, outcomes) })
}

// noTesseract says why Tesseract cannot be asked; "" when it can.
func (v *Texts) noTesseract(ctx context.Context) string {
	listed, err := exec.CommandContext(ctx, "tesseract", "--list-langs").Output()
	if err != nil {
		return err.Error()
	}
	for _, language := range strings.Split(v.languages, "+") {
		if !slices.Contains(strings.Fields(string(listed)), language) {
			return "it lacks its model " + language
		}
	}
	return ""
}

// examine reads one specimen as a request would.
func (v *Texts) examine(ctx context.Context, e *engine.Engine, s textSpecimen) textOutcome {
	o := textOutcome{textSpecimen: s}
	reader := e.Readers()[appliance.EndpointGeneral]
	if reader == nil {
		o.err = errors.New("no reader of general text is built")
		return o
	}
	picture, err := v.picture(ctx, e, s.File)
	if err != nil {
		o.err = err
		return o
	}
	began := time.Now()
	reading, err := reader.Read(ctx, picture, nil)
	o.elapsed, o.err = time.Since(began), err
	for _, l := range reading.Lines {
		o.lines = append(o.lines, l.Text)
	}
	if v.Tesseract {
		o.rival = v.askTesseract(ctx, picture)
	}
	return o
}

// picture decodes a specimen. A line may be lower than any picture that the daemon takes: its frame makes up for that.
func (v *Texts) picture(ctx context.Context, e *engine.Engine, file string) (*appliance.Picture, error) {
	if v.pages {
		return v.Decode(ctx, e, file)
	}
	content, err := engine.ReadPicture(nil, filepath.Join(v.Dir, file), int64(e.Decoder.MaxBytes))
	if err != nil {
		return nil, err
	}
	any := e.Decoder
	any.MinSide = 1
	p, err := any.Decode(ctx, content)
	if err != nil {
		return nil, err
	}
	return framed(p, v.frame), nil
}

// framed returns the grey picture with a white frame, as readers of cropped lines expect it.
func framed(p *appliance.Picture, width int) *appliance.Picture {
	out := &appliance.Picture{Width: p.Width + 2*width, Height: p.Height + 2*width}
	out.Y = bytes.Repeat([]byte{255}, out.Width*out.Height)
	for y := range p.Height {
		copy(out.Y[(y+width)*out.Width+width:], p.Y[y*p.Width:(y+1)*p.Width])
	}
	return out
}

// askTesseract has Tesseract read the grey picture in one thread. The time is that of its process, start included.
func (v *Texts) askTesseract(ctx context.Context, p *appliance.Picture) (o rivalOutcome) {
	var in, out bytes.Buffer
	grey := &image.Gray{Pix: p.Y, Stride: p.Width, Rect: image.Rect(0, 0, p.Width, p.Height)}
	if o.err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&in, grey); o.err != nil {
		return o
	}
	c := exec.CommandContext(ctx, "tesseract", "stdin", "stdout", "-l", v.languages, "--psm", v.mode)
	c.Env = append(os.Environ(), "OMP_THREAD_LIMIT=1")
	c.Stdin, c.Stdout = &in, &out
	began := time.Now()
	o.err = c.Run()
	o.elapsed = time.Since(began)
	for line := range strings.Lines(out.String()) {
		if plain := PlainText(line); plain != "" {
			o.lines = append(o.lines, line)
		}
	}
	return o
}

// PlainText brings a text into the form in which texts are compared.
func PlainText(text string) string {
	one := strings.NewReplacer(
		"—",
		"–",
		"−",
		"-",
		"“",
		`"`,
		"”",
		`"`,
		"‘",
		"'",
		"’",
		"'",
		"…",
		".",
		"ک",
		"ك",
		"ی",
		"ي",
		"٬",
		"،",
		"٫",
		",",
	)
	bare := strings.Map(func(r rune) rune {
		if r == 'ـ' || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, one.Replace(norm.NFC.String(text)))
	return strings.Join(strings.Fields(arabic.FoldDigits(bare)), " ")
}

// printMistakes lists the texts that are not exact.
func printMistakes(w io.Writer, outcomes []textOutcome) {
	for i := range outcomes {
		o := &outcomes[i]
		want, got := PlainText(strings.Join(o.texts(), " ")), PlainText(strings.Join(o.lines, " "))
		if want == got && o.err == nil {
			continue
		}
		fmt.Fprintf(w, "\n%s: %d wrong of %d\n", o.File, edit.Distance([]rune(want), []rune(got)), len([]rune(want)))
		if o.err != nil {
			fmt.Fprintf(w, "  failed: %v\n", o.err)
		}
		fmt.Fprintf(w, "  want %s\n  got  %s\n", strings.Join(o.texts(), "\n       "), strings.Join(o.lines, "\n       "))
	}
}
