// Package outlinetest makes finders of documents for tests: one that finds what it is told, and the product's own.
package outlinetest

import (
	"context"
	"iter"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/outline"
)

// Finder opens the product's finder of documents; it is closed with the test.
func Finder(t testing.TB) *outline.Finder {
	t.Helper()
	n, _ := inferencetest.Product(t, "documents")
	f, err := outline.New(n)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Found is a finder that always finds the same.
type Found []outline.Found

// Find returns it.
func (f Found) Find(context.Context, *appliance.Picture) ([]outline.Found, error) { return f, nil }

// Glance sees nothing.
func (f Found) Glance(context.Context, *appliance.Picture) (outline.Glance, error) {
	return outline.Glance{}, nil
}

// Follow returns it.
func (f Found) Follow(ctx context.Context, p *appliance.Picture, _ outline.Glance) ([]outline.Found, error) {
	return f.Find(ctx, p)
}

// FindHidden finds nothing more.
func (f Found) FindHidden(_ context.Context, _ *appliance.Picture, found []outline.Found) ([]outline.Found, error) {
	return found, nil
}

// FindAt finds nothing.
func (f Found) FindAt(_ context.Context, _ *appliance.Picture, _, _ []appliance.Quad) (d outline.Found, ok bool, err error) {
	return d, false, nil
}

// FindInParts finds it in the smallest parts.
func (f Found) FindInParts(
	context.Context,
	*appliance.Picture,
	appliance.Kind,
	func(outline.Found) (outline.Judgement, error),
) ([]outline.Found, iter.Seq2[outline.Found, error], error) {
	return nil, Each(f), nil
}

// FindTurned returns it.
func (f Found) FindTurned(ctx context.Context, p *appliance.Picture, _ int) ([]outline.Found, error) {
	return f.Find(ctx, p)
}

// Again returns what was there.
func (f Found) Again(_ context.Context, _ *appliance.Picture, d outline.Found, _ appliance.Quad) (outline.Found, error) {
	return d, nil
}

// Each yields what was found.
func Each(found []outline.Found) iter.Seq2[outline.Found, error] {
	return func(yield func(outline.Found, error) bool) {
		for _, f := range found {
			if !yield(f, nil) {
				return
			}
		}
	}
}

// Parts is a finder that sees more in the larger parts of a picture than in the whole, and the rest in the smallest ones.
type Parts struct {
	Found
	Larger, Smallest []outline.Found
}

// FindInParts finds it there.
func (f Parts) FindInParts(
	context.Context,
	*appliance.Picture,
	appliance.Kind,
	func(outline.Found) (outline.Judgement, error),
) ([]outline.Found, iter.Seq2[outline.Found, error], error) {
	return f.Larger, Each(f.Smallest), nil
}
