package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/describe"
	"github.com/bawab/bawab/models"
)

// golden is a picture of a kind whose content is known, as it travels with the kind.
type golden struct {
	name    string // of the picture in the set
	kind    appliance.Kind
	fields  map[string]*string
	picture []byte
}

// goldenOf reads the golden sets of the kinds of a set. What is wrong is a describe.Fault with its path.
func goldenOf(set *models.Set, kinds []appliance.KindModel) (all []golden, err error) {
	files := set.Kinds()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if path.Base(name) != models.TruthFile {
			continue
		}
		n := 0
		for line := range strings.Lines(string(files[name])) {
			if n++; strings.TrimSpace(line) == "" {
				continue
			}
			g, reason := goldenLine(line, path.Dir(name), files, kinds)
			if i := slices.IndexFunc(all, func(o golden) bool { return o.name == g.name }); reason == "" && i >= 0 {
				reason = fmt.Sprintf("a line above has %s already", path.Base(g.name))
			}
			if reason != "" {
				return nil, fmt.Errorf("read golden set: %w", describe.Fault{File: name, Line: n, Reason: reason})
			}
			all = append(all, g)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if models.IsPicture(name) && !slices.ContainsFunc(all, func(g golden) bool { return g.name == name }) {
			fault := describe.Fault{File: name, Reason: "no line of " + models.TruthFile + " names this picture"}
			return nil, fmt.Errorf("read golden set: %w", fault)
		}
	}
	return all, nil
}

// WithoutGolden lists the kinds of a set that have no golden picture.
func WithoutGolden(set *models.Set) (out []appliance.Kind, err error) {
	kinds, err := KindsOf(set)
	if err != nil {
		return nil, err
	}
	all, err := goldenOf(set, kinds)
	for _, k := range kinds {
		if !slices.ContainsFunc(all, func(g golden) bool { return g.kind == k.Kind }) {
			out = append(out, k.Kind)
		}
	}
	return out, err
}

// goldenLine reads one line of a truth, or says what is wrong with it.
func goldenLine(line, folder string, files map[string][]byte, kinds []appliance.KindModel) (g golden, reason string) {
	var truth struct {
		File      string
		Documents []struct {
			Kind   appliance.Kind
			Fields map[string]*string
		}
	}
	if err := json.Unmarshal([]byte(line), &truth); err != nil {
		return g, err.Error()
	}
	g.name = path.Join(folder, truth.File)
	g.picture = files[g.name]
	switch {
	case g.picture == nil || !models.IsKindFile(g.name):
		return g, fmt.Sprintf("there is no picture %s beside it", truth.File)
	case len(truth.Documents) != 1:
		return g, fmt.Sprintf("%s shows %d documents, want one", truth.File, len(truth.Documents))
	}
	g.kind, g.fields = truth.Documents[0].Kind, truth.Documents[0].Fields
	i := slices.IndexFunc(kinds, func(k appliance.KindModel) bool { return k.Kind == g.kind })
	if i < 0 {
		return g, fmt.Sprintf("there is no kind %s in the set", g.kind)
	}
	for _, name := range slices.Sorted(maps.Keys(g.fields)) {
		k := slices.IndexFunc(kinds[i].Fields, func(s appliance.FieldSpec) bool { return s.Name == name })
		if k < 0 {
			return g, fmt.Sprintf("the kind %s has no field %s", g.kind, name)
		}
		if v := g.fields[name]; v != nil && *v != "" && kinds[i].Fields[k].Type == appliance.Date && !isDate(*v) {
			return g, fmt.Sprintf("%s is a date, which is written YYYY-MM-DD, and not %q", name, *v)
		}
	}
	return g, ""
}

// isDate reports whether a text is a date as answers have it.
func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// checkKinds reads the golden sets of the kinds that a set brings: each picture must prove its kind, and hold no value that is wrong
// without a flag. None of the reference pictures may prove one.
func checkKinds(ctx context.Context, e *Engine, set *models.Set, told func(picture string, err error)) (errs []error) {
	tell := func(name string, err error) {
		told(name, err)
		errs = append(errs, err)
	}
	all, err := goldenOf(set, e.Kinds())
	if err != nil {
		return []error{err}
	}
	for _, g := range all {
		tell(g.name, checkGolden(ctx, e, g))
	}
	references, err := models.References()
	if err != nil {
		return append(errs, err)
	}
	for _, k := range e.Kinds() {
		tell("kind "+string(k.Kind)+" against the reference pictures", notTaken(ctx, e, k.Kind, references))
	}
	return errs
}

// checkGolden reads one picture of a golden set.
func checkGolden(ctx context.Context, e *Engine, g golden) error {
	d, err := e.readAs(ctx, g.kind, g.picture)
	if err != nil {
		return fmt.Errorf("read %s: %w", g.name, err)
	}
	if d.Kind != g.kind {
		return differently(g.name, appliance.Errorf(appliance.CodeInternal, "nothing on it proves that it is of the kind %s", g.kind))
	}
	for _, name := range slices.Sorted(maps.Keys(g.fields)) {
		want := ""
		if v := g.fields[name]; v != nil {
			want = *v
		}
		if f := d.Field(name); f.Value != "" && f.Value != want && !slices.ContainsFunc(d.Codes(name), appliance.Code.Doubts) {
			return differently(g.name, appliance.Errorf(
				appliance.CodeInternal, "%s is wrong, and no code says so: %q was read, and the truth is %q", name, f.Value, want))
		}
	}
	return nil
}

// notTaken finds a reference picture that a kind takes for a document of its own.
func notTaken(ctx context.Context, e *Engine, k appliance.Kind, references []models.Reference) error {
	for _, r := range references {
		d, err := e.readAs(ctx, k, r.Picture)
		if err != nil {
			return fmt.Errorf("read %s: %w", r.Name, err)
		}
		if d.Kind == k {
			return differently(r.Name, appliance.Errorf(
				appliance.CodeInternal, "it is taken for one of the kind %s: a title or a proof of that is not its alone", k))
		}
	}
	return nil
}

// readAs reads a picture as a document of a kind that the set brings; one that shows none is a document of no kind.
func (e *Engine) readAs(ctx context.Context, k appliance.Kind, picture []byte) (appliance.Document, error) {
	p, err := e.Decoder.Decode(ctx, picture)
	if err != nil {
		return appliance.Document{}, err
	}
	reading, err := e.Readers()[appliance.KindEndpoint(k)].Read(ctx, p, nil)
	if appliance.CodeOf(err) == appliance.CodeNoDocument || err == nil && len(reading.Documents) == 0 {
		return appliance.Document{Kind: appliance.Unknown}, nil
	}
	if err != nil {
		return appliance.Document{}, err
	}
	return reading.Documents[0], nil
}

// CheckKinds does of CheckSet what is about the kinds that a set brings.
func CheckKinds(ctx context.Context, set *models.Set, told func(picture string, err error)) (err error) {
	if len(set.Kinds()) == 0 {
		return nil
	}
	e, err := OpenSet(ctx, set, referencePictures(), 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	if err := errors.Join(checkKinds(ctx, e, set, told)...); err != nil {
		return &appliance.Error{
			Op: "check kinds", Msg: "these kinds do not read what they must",
			Hint: "mend the description, or the truth, and make the pack again", Err: err,
		}
	}
	return nil
}
