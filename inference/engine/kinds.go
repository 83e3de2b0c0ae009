package engine

import (
	"cmp"
	"context"
	"os"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/documents"
	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/inference/kind"
	"github.com/bawab/bawab/inference/reading"
	"github.com/bawab/bawab/inference/site"
	"github.com/bawab/bawab/models"
)

// kindsOf makes the readers of the kinds that a set brings, as the site's documents print them.
func kindsOf(set *models.Set, t reading.Tools, rules *site.Rules) (readers []*kind.Reader, err error) {
	described, err := documents.LoadKinds(set.Kinds())
	if err != nil {
		return nil, err
	}
	tools := kind.Tools{
		Finder: t.Finder, Detector: t.Detector, Words: t.Words, Digits: t.Digits, Calibration: t.Calibration, Now: t.Now,
	}
	slices.SortFunc(described, func(a, b *form.Description) int { return cmp.Compare(a.Kind, b.Kind) })
	for _, d := range described {
		readers = append(readers, kind.New(d.With(form.Own{Misread: rules.Misread(d.Kind)}), tools))
	}
	return readers, nil
}

// WithKinds is a set with the kinds that lie in a folder, in the place of its own.
func WithKinds(set *models.Set, dir string) (*models.Set, error) {
	const hint = "docs/adding-a-document.md has the form of a kind's folder"
	switch info, err := os.Stat(dir); {
	case err != nil:
		return nil, &appliance.Error{Op: "read kinds", Msg: err.Error(), Hint: hint}
	case !info.IsDir():
		e := appliance.Errorf(appliance.CodeBadRequest, "%s is no folder", dir)
		e.Op, e.Hint = "read kinds", hint
		return nil, e
	}
	files, err := documents.Collect(os.DirFS(dir))
	if err != nil {
		return nil, &appliance.Error{Op: "read kinds", Msg: dir, Hint: hint, Err: err}
	}
	with := set.WithKinds(files)
	brought, err := KindsOf(with)
	if err != nil {
		return nil, err
	}
	learned, err := site.Of(set.Site(), brought)
	return with.WithSite(learned), err
}

// LeftOfKinds lists the files of a folder of kinds that no set brings with them.
func LeftOfKinds(dir string) ([]string, error) { return documents.Left(os.DirFS(dir)) }

// KindsOf lists the kinds that a set brings, by their names.
func KindsOf(set *models.Set) (all []appliance.KindModel, err error) {
	described, err := documents.LoadKinds(set.Kinds())
	for _, d := range described {
		all = append(all, kind.New(d, kind.Tools{}).Model())
	}
	return all, err
}

// Explain says how a picture is read as a document of a kind that the set brings, for whoever describes the kind.
func (e *Engine) Explain(ctx context.Context, k appliance.Kind, p *appliance.Picture) (string, error) {
	i := slices.IndexFunc(e.kinds, func(r *kind.Reader) bool { return r.Model().Kind == k })
	if i < 0 {
		return "", appliance.NoKind()
	}
	return e.kinds[i].Explain(ctx, p)
}

// Kinds lists the kinds that the set brings, by their names.
func (e *Engine) Kinds() (models []appliance.KindModel) {
	for _, k := range e.kinds {
		models = append(models, k.Model())
	}
	return models
}

// described are the kinds of the program that the document engine reads, as the site's documents print them.
func described(rules *site.Rules) (out []*form.Description, err error) {
	all, err := documents.All()
	if err != nil {
		return nil, err
	}
	for _, d := range all {
		if words, labels, terms, ok := rules.Printed(d.Kind); ok {
			if d, err = documents.With(d.Kind, words, form.Own{Labels: labels, Terms: terms, Misread: rules.Misread(d.Kind)}); err != nil {
				return nil, err
			}
		}
		out = append(out, d)
	}
	return out, nil
}
