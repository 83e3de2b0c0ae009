package card

import (
	"testing"

	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/text"
)

// productFinder opens the product's finder of documents.
func productFinder(t testing.TB) *outline.Finder {
	t.Helper()
	n, _ := inferencetest.Product(t, "documents")
	return outline.New(n)
}

// productDetector opens the product's line detector.
func productDetector(t testing.TB) *text.Detector {
	t.Helper()
	n, _ := inferencetest.Product(t, "lines")
	return text.NewDetector(n)
}

// productWords opens the product's reader of words on documents.
func productWords(t testing.TB) *text.LineReader { return lineReader(t, "text") }

// lineReader opens one of the product's readers of lines.
func lineReader(t testing.TB, name string) *text.LineReader {
	t.Helper()
	n, m := inferencetest.Product(t, name)
	base, _ := inferencetest.Product(t, "baseline")
	words, err := text.NewLineReader(n, base, m.Labels)
	if err != nil {
		t.Fatal(err)
	}
	return words
}
