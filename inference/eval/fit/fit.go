// Package fit learns the numbers of the document engine from pictures whose content is known.
package fit

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/decode"
	"github.com/bawab/bawab/inference/documents"
	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/inference/line"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/sheet"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/models"
)

// Fit is one call of the command.
type Fit struct {
	Out    string  // file to write
	Budget float64 // values are flagged where more than this share of those like them is wrong
	Seed   uint64  // of the order in which examples are learned from
	// Doubt fits only how sure values are, under the other weights of the calibration in the program.
	Doubt bool
	// Anew fits only what further cuts of print that is in doubt say of its value, under the other numbers of the calibration in the program.
	Anew bool
	// Levels fits only where the letters of a line stand by its rows, under the other numbers of the calibration in the program.
	Levels bool
	// Judged tries the numbers that people judged, each at values about the one in use, and tells Report what comes of it.
	Judged bool
	Report io.Writer
	// Most is how many documents of each folder are looked at; 0 is all.
	Most int
	// Add names groups that are added to those of the program, with the numbers that these lack; they stay as they are. "" fits all anew.
	Add string
}

// corners are those of an upright document or line, in pixels of the picture.
type corners [4][2]float64

func (c corners) quad() (q appliance.Quad) {
	for i, p := range c {
		q[i] = appliance.Point{X: p[0], Y: p[1]}
	}
	return q
}

// drawnPicture is one picture with what is printed on it.
type drawnPicture struct {
	dir       string
	File      string `json:"file"`
	Documents []struct {
		Kind    appliance.Kind    `json:"kind"`
		Quad    corners           `json:"quad"`
		Fields  map[string]string `json:"fields"`
		Covered []string          `json:"covered"`
		Lines   []struct {
			Role string  `json:"role"`
			Text string  `json:"text"`
			Quad corners `json:"quad"`
		} `json:"lines"`
	} `json:"documents"`
}

// readTruth reads the truth of a folder.
func readTruth(dir string) (out []drawnPicture, err error) {
	b, err := os.ReadFile(filepath.Join(dir, "truth.jsonl"))
	if err != nil {
		return nil, &appliance.Error{
			Op: "read truth", Msg: "there is no truth to learn from", Hint: "see `bawab eval fit --help` for its form", Err: err,
		}
	}
	lines := bufio.NewScanner(bytes.NewReader(b))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		p := drawnPicture{dir: dir}
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			return nil, fmt.Errorf("read truth: %s, line %d: %w", dir, n, err)
		}
		out = append(out, p)
	}
	return out, lines.Err()
}

// Run learns from folders and writes the calibration.
func (f *Fit) Run(ctx context.Context, dirs []string) (failed error) {
	b, err := openBench(ctx)
	if err != nil {
		return err
	}
	defer func() { failed = errors.Join(failed, b.networks.Close()) }()
	b.most = f.Most
	learn := f.judge
	if !f.Judged {
		learn = f.all
	}
	calibration, err := learn(ctx, b, dirs)
	if err != nil {
		return err
	}
	out, err := json.MarshalIndent(calibration, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(f.Out, append(out, '\n'), 0o644)
}

// all learns from all documents of folders together.
func (f *Fit) all(ctx context.Context, b *bench, dirs []string) (c models.Calibration, err error) {
	var lessons []lesson
	err = b.lessons(ctx, dirs, func(l lesson) error {
		lessons = append(lessons, l)
		return nil
	})
	if err != nil {
		return c, err
	}
	if f.Levels {
		return f.levels(ctx, b, lessons, dirs)
	}
	return f.learn(ctx, b, lessons, dirs)
}

// lessons visits the documents of folders of a kind that is described, at least two.
func (b *bench) lessons(ctx context.Context, dirs []string, visit func(lesson) error) error {
	described, err := documents.All()
	if err != nil {
		return err
	}
	n := 0
	for _, dir := range dirs {
		pictures, err := readTruth(dir)
		if err != nil {
			return err
		}
		if b.most > 0 {
			pictures = pictures[:min(b.most, len(pictures))]
		}
		for _, p := range pictures {
			l, ok, err := b.lesson(ctx, described, p)
			if err == nil && ok {
				n++
				err = visit(l)
			}
			if err != nil {
				return fmt.Errorf("read %s: %w", filepath.Join(dir, p.File), err)
			}
		}
	}
	if n < 2 {
		return &appliance.Error{Op: "fit", Msg: "the folders hold fewer than two documents of a kind that is described"}
	}
	return nil
}

// learn fits all numbers.
func (f *Fit) learn(ctx context.Context, b *bench, lessons []lesson, dirs []string) (c models.Calibration, err error) {
	program := b.program
	origin, weights := f.origin(len(lessons), dirs), program.Values()
	read := [2]form.Weights{weights, weights} // those by which every other lesson is read
	var learned []models.Group
	if !f.Doubt && !f.Anew {
		var known form.Weights // those that stay as they are
		if f.Add != "" {
			known = weights
		}
		var roles models.Group
		if roles, read, err = f.roles(ctx, b, lessons, known, origin); err != nil {
			return c, err
		}
		learned = append(learned, roles)
	}
	var judged []verdict
	for i, l := range lessons {
		found, err := l.judge(ctx, b.by(read[i%2]))
		if err != nil {
			return c, err
		}
		judged = append(judged, found...)
	}
	learned = append(learned, f.doubt(judged, holdersNumbers(lessons), weights, origin))
	if f.Add == "" {
		return replaced(program, learned), nil
	}
	return f.added(program, learned), nil
}

// replaced is a calibration with learned numbers in the place of its own of their names. Numbers that the pictures say nothing about, as
// those of other kinds, stay with their origin: the engine would count them as nothing.
func replaced(c models.Calibration, learned []models.Group) models.Calibration {
	var kept []models.Group
	for _, g := range c.Groups {
		g.Values = maps.Clone(g.Values)
		for _, l := range learned {
			maps.DeleteFunc(g.Values, func(name string, _ float64) bool { _, ok := l.Values[name]; return ok })
		}
		if len(g.Values) > 0 {
			kept = append(kept, g)
		}
	}
	for i := range learned {
		for slices.ContainsFunc(kept, func(g models.Group) bool { return g.Name == learned[i].Name }) {
			learned[i].Name = "later " + learned[i].Name
		}
	}
	return models.NewCalibration(append(learned, kept...)...)
}

// added is a calibration with what some groups have beside it.
func (f *Fit) added(c models.Calibration, groups []models.Group) models.Calibration {
	known := c.Values()
	for _, g := range groups {
		g.Name, g.Values = f.Add+" "+g.Name, maps.Clone(g.Values) // it may be a group of the program
		maps.DeleteFunc(g.Values, func(name string, _ float64) bool {
			_, ok := known[name]
			return ok
		})
		if len(g.Values) > 0 {
			c.Groups = append(c.Groups, g)
		}
	}
	return c
}

// origin is where numbers come from.
func (f *Fit) origin(lessons int, dirs []string) models.Group {
	names := make([]string, len(dirs))
	for i, dir := range dirs {
		names[i] = filepath.Base(dir)
	}
	origin := models.Group{Date: time.Now().Format(time.DateOnly)}
	origin.DataSet = fmt.Sprintf("%d drawn pictures with truth: %s", lessons, strings.Join(names, ", "))
	return origin
}

// roles fits which print belongs to which field: the weights, and for each half of the lessons those that were fitted to the other half,
// with the numbers of the program that were not. Weights that are known stay as they are.
func (f *Fit) roles(ctx context.Context, b *bench, lessons []lesson, known form.Weights, origin models.Group) (
	out models.Group, read [2]form.Weights, err error,
) {
	var halves [2][]example
	for i, l := range lessons {
		examples, err := l.examples(ctx, b.reads)
		if err != nil {
			return out, read, err
		}
		halves[i%2] = append(halves[i%2], examples...)
	}
	all := slices.Concat(halves[0], halves[1])
	out = origin
	out.Name, out.N, out.Budget = "roles", len(all), "likeliest role of each stretch of print"
	out.Values = rounded4(learnRoles(all, known, f.Seed))
	for i := range read {
		read[i] = b.program.Values()
		maps.Copy(read[i], learnRoles(halves[1-i], known, f.Seed))
	}
	return out, read, nil
}

// doubt fits how sure values are; with Anew as sure by one look as they are by weights.
func (f *Fit) doubt(judged []verdict, numbers map[string]bool, weights form.Weights, origin models.Group) models.Group {
	out := origin
	if out.Name, out.N = "anew", len(judged); !f.Anew {
		out.Name, weights = "doubt", nil
	}
	values, found := calibrate(judged, f.Budget, numbers, weights)
	maps.DeleteFunc(values, func(name string, v float64) bool { is, ok := weights[name]; return ok && is == v })
	out.Values = rounded4(values)
	out.Budget = fmt.Sprintf("a value is flagged where more than %.3g %% of those like it are wrong, a number that tells the holder where "+
		"more than %.3g %% are; of values on pages not fitted to, %.3g %% right and flagged, %.2g %% wrong and not",
		100*f.Budget, 100*strict(f.Budget), 100*found.rightFlagged, 100*found.wrongSilent)
	return out
}

// holdersNumbers are the decoders of the numbers that tell whose a document is and what it is.
func holdersNumbers(lessons []lesson) map[string]bool {
	out := map[string]bool{}
	for _, l := range lessons {
		for _, f := range l.description.Fields {
			if f.Holder && f.Proves {
				out[f.Decoder] = true
			}
		}
	}
	return out
}

// rounded4 leaves four decimals.
func rounded4(w form.Weights) map[string]float64 {
	out := maps.Clone(map[string]float64(w))
	for name, v := range out {
		out[name] = float64(int(v*1e4+0.5)) / 1e4
		if v < 0 {
			out[name] = float64(int(v*1e4-0.5)) / 1e4
		}
	}
	return out
}

// bench reads pages.
type bench struct {
	networks *inference.Runtime
	finder   *outline.Finder
	network  *text.LineReader // finds where letters stand by the network of base lines
	words    *text.LineReader
	digits   *text.DigitReader
	detector *line.Detector
	program  models.Calibration // that of the program
	reads    *form.Calibration  // it, as pages are read by it
	most     int                // documents of a folder, 0 for all
}

// by is the calibration of the program with other weights.
func (b *bench) by(w form.Weights) *form.Calibration {
	c := *b.reads
	c.Weights = w
	return &c
}

func openBench(ctx context.Context) (*bench, error) {
	set, err := models.Open()
	if err != nil {
		return nil, err
	}
	m, err := set.Model("text")
	if err != nil {
		return nil, err
	}
	r, err := inference.Open(ctx, set.List(), 1)
	if err != nil {
		return nil, err
	}
	network, err := text.NewLineReader(r.Network("text"), r.Network("baseline"), m.Labels)
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	c, err := models.OpenCalibration()
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	reads := &form.Calibration{}
	if err := c.Fill(reads); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	rows, err := text.NewRows(c.Values())
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	finder, err := outline.New(r.Network("documents"))
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return &bench{
		r, finder, network, network.By(rows), text.NewDigitReader(r.Network("digits")),
		line.NewDetector(r.Network("lines"), r.Network("lines_wide")), c, reads, 0,
	}, nil
}

// lesson lays the largest document of a picture flat; ok is false where there is none of a kind that is described.
func (b *bench) lesson(ctx context.Context, described []*form.Description, p drawnPicture) (l lesson, ok bool, err error) {
	if len(p.Documents) == 0 {
		return l, false, nil
	}
	truth := p.Documents[0]
	i := slices.IndexFunc(described, func(d *form.Description) bool { return d.Kind == truth.Kind })
	if i < 0 {
		return l, false, nil
	}
	encoded, err := os.ReadFile(filepath.Join(p.dir, p.File))
	if err != nil {
		return l, false, err
	}
	picture, err := decode.Decoder{MaxBytes: 8 << 20, MaxPixels: 25e6, MinSide: 64}.Decode(ctx, encoded)
	if err != nil {
		return l, false, err
	}
	view, ok := page.Lay(picture, b.outlineOf(ctx, picture, truth.Quad.quad()), described[i].Size)
	if !ok {
		return l, false, nil
	}
	lines, err := view.Detect(ctx, b.detector)
	if err != nil {
		return l, false, err
	}
	l.description, l.page = described[i], page.New(view, lines, b.words, b.digits, &b.reads.Page)
	l.values, l.covered = truth.Fields, truth.Covered
	for _, line := range truth.Lines {
		roles := slices.DeleteFunc(strings.Split(line.Role, "+"), func(r string) bool { return strings.HasSuffix(r, "_label") })
		l.printed = append(l.printed, printed{roles, line.Text, line.Quad.quad()})
	}
	return l, true, nil
}

// outlineOf is the outline that the finder sees of a document, the same way up as the true one, or that where it sees none.
func (b *bench) outlineOf(ctx context.Context, p *appliance.Picture, want appliance.Quad) appliance.Quad {
	const same = 0.8
	found, err := b.finder.Find(ctx, p)
	if err != nil {
		return want
	}
	i := slices.IndexFunc(found, func(f outline.Found) bool {
		return min(sheet.Overlap(f.Quad, want), sheet.Overlap(want, f.Quad)) > same
	})
	if i < 0 {
		return want
	}
	q := found[i].Quad
	turned := slices.MinFunc([]int{0, 1, 2, 3}, func(a, b int) int {
		return cmp.Compare(text.Line{Start: q[a], End: want[0]}.Length(), text.Line{Start: q[b], End: want[0]}.Length())
	})
	return appliance.Quad{q[turned], q[(turned+1)%4], q[(turned+2)%4], q[(turned+3)%4]}
}
