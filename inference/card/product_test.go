package card

import (
	"testing"

	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/outline"
)

// productFinder opens the product's finder of documents.
func productFinder(t testing.TB) *outline.Finder {
	t.Helper()
	n, _ := inferencetest.Product(t, "documents")
	return outline.New(n)
}
