package card

import (
	"testing"

	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/models"
)

// product opens one of the product's own networks; it is closed with the test.
func product(t testing.TB, name string) (*inference.Network, models.Model) {
	t.Helper()
	set, err := models.Open()
	if err != nil {
		t.Fatal(err)
	}
	m, err := set.Model(name)
	if err != nil {
		t.Fatal(err)
	}
	n, err := inference.Open(t.Context(), m, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	return n, m
}

// productFinder opens the product's finder of documents.
func productFinder(t testing.TB) *outline.Finder {
	t.Helper()
	n, _ := product(t, "documents")
	return outline.New(n)
}

// productDetector opens the product's line detector.
func productDetector(t testing.TB) *text.Detector {
	t.Helper()
	n, _ := product(t, "lines")
	return text.NewDetector(n)
}

// productWords opens the product's reader of words.
func productWords(t testing.TB) *text.LineReader {
	t.Helper()
	n, m := product(t, "text")
	words, err := text.NewLineReader(n, m.Labels)
	if err != nil {
		t.Fatal(err)
	}
	return words
}
