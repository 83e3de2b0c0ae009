// Package texttest opens the product's own readers of text for tests.
package texttest

import (
	"testing"

	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/line"
	"github.com/bawab/bawab/inference/text"
)

// Detector opens the product's line detector; it is closed with the test.
func Detector(t testing.TB) *line.Detector {
	t.Helper()
	n, _ := inferencetest.Product(t, "lines")
	return line.NewDetector(n)
}

// Lines opens one of the product's readers of lines, such as text; it is closed with the test.
func Lines(t testing.TB, name string) *text.LineReader {
	t.Helper()
	n, m := inferencetest.Product(t, name)
	base, _ := inferencetest.Product(t, "baseline")
	lines, err := text.NewLineReader(n, base, m.Labels)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// Numbers opens the product's reader of the numbers of general text; it is closed with the test.
func Numbers(t testing.TB) *text.NumberReader {
	t.Helper()
	n, m := inferencetest.Product(t, "numbers")
	numbers, err := text.NewNumberReader(n, m.Labels)
	if err != nil {
		t.Fatal(err)
	}
	return numbers
}

// Words opens the product's reader of the words of documents; it is closed with the test.
func Words(t testing.TB) *text.LineReader {
	t.Helper()
	rows, err := text.NewRows(inferencetest.Numbers(t))
	if err != nil {
		t.Fatal(err)
	}
	return Lines(t, "text").By(rows)
}
