// Package inferencetest opens the product's own networks and sample pictures for tests.
package inferencetest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/decode"
	"github.com/bawab/bawab/models"
)

// Product opens one of the product's own networks with one thread; it is closed with the test.
func Product(t testing.TB, name string) (*inference.Network, models.Model) {
	t.Helper()
	set, err := models.Open()
	if err != nil {
		t.Fatal(err)
	}
	m, err := set.Model(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := inference.Open(t.Context(), []models.Model{m}, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r.Network(name), m
}

// Numbers are those of the product's calibration, by name.
func Numbers(t testing.TB) map[string]float64 {
	t.Helper()
	c, err := models.OpenCalibration()
	if err != nil {
		t.Fatal(err)
	}
	return c.Values()
}

// Calibrate fills a struct with the numbers of the product's calibration.
func Calibrate[T any](t testing.TB) *T {
	t.Helper()
	c, err := models.OpenCalibration()
	if err != nil {
		t.Fatal(err)
	}
	out := new(T)
	if err := c.Fill(out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Picture decodes the picture in a file.
func Picture(t testing.TB, path ...string) *appliance.Picture {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	p, err := decode.Decoder{MaxBytes: 8 << 20, MaxPixels: 25e6, MinSide: 64}.Decode(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
