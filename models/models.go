// Package models holds the networks that bawab carries: int8 TFLite files,
// compiled into the binary, with a manifest that says what each must be.
//
// The manifest names for every file its SHA-256, the contract of its input and
// output (name, shape, type, quantization, channel order), its size in
// multiply-accumulates and the thresholds that were calibrated for it, each
// with data set, date and error budget. The training code under
// models/training writes both the files and the manifest; nothing here is
// edited by hand.
package models

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed manifest.json *.tflite
var embedded embed.FS

// manifestFile is the name of the manifest beside the model files.
const manifestFile = "manifest.json"

// SiteFile is the name of what a site learned on its own pictures, where a set carries it; package site reads it.
const SiteFile = "site.json"

// Channel orders of an input tensor whose last dimension is colour.
const (
	Grey  = "grey"  // one channel, luminance
	RGB   = "rgb"   // three channels, red first
	YCbCr = "ycbcr" // three channels, luminance first, full range
)

// ErrUnknown is returned for a model name that the manifest does not hold.
var ErrUnknown = errors.New("unknown model")

// Tensor is the contract of one input or output of a model.
type Tensor struct {
	// Name is the tensor's name in the file.
	Name string `json:"name"`
	// Shape counts elements per dimension; the first is the batch, always 1.
	// Pictures are batch, height, width, channels.
	Shape []int `json:"shape"`
	// Type is the element type; "int8" is the only one.
	Type string `json:"type"`
	// Scale and ZeroPoint turn a stored value v into Scale * (v - ZeroPoint).
	Scale     float32 `json:"scale"`
	ZeroPoint int     `json:"zero_point"`
	// Channels is the order of colour in the last dimension, Grey, RGB or
	// YCbCr; "" for tensors that are no picture.
	Channels string `json:"channels,omitempty"`
}

// Len is the number of elements: the product of the shape.
func (t Tensor) Len() int {
	n := 1
	for _, d := range t.Shape {
		n *= d
	}
	return n
}

// Threshold is a calibrated constant together with where it comes from.
type Threshold struct {
	Value   float64 `json:"value"`
	DataSet string  `json:"data_set"` // what it was calibrated on
	Date    string  `json:"date"`     // when, YYYY-MM-DD
	Budget  string  `json:"budget"`   // the error that it accepts
}

// What a network was made from.
const (
	// Clean: every training picture, teacher and starting weight may be used commercially by its licence, or was drawn.
	Clean = "clean"
	// ResearchData: a picture, a teacher or a starting weight was not, or its licence is not known.
	ResearchData = "research data"
)

// Model is one network, its contract and its file.
type Model struct {
	Name       string               `json:"name"`
	File       string               `json:"file"`
	SHA256     string               `json:"sha256"` // of Bytes, lower-case hex
	Input      Tensor               `json:"input"`
	Output     Tensor               `json:"output"`
	MACs       int64                `json:"macs"` // multiply-accumulates of one inference
	Thresholds map[string]Threshold `json:"thresholds"`
	// Labels names the symbols of a recogniser's classes in their order, one
	// rune each; class 0, the CTC blank, has none. "" for other networks.
	Labels string `json:"labels,omitempty"`
	// Widths are the other widths of its input, ascending, that the network takes as well: nothing in it fixes the width. The last
	// dimension but one of the output, its columns, and the work shrink and grow with them.
	Widths []int `json:"widths,omitempty"`
	// Changes are the bytes, by their offsets, in which the model differs from its file: the same weights for pictures of another
	// size, where the runtime cannot resize the network itself.
	Changes map[int]byte `json:"changes,omitempty"`
	// Provenance is Clean or ResearchData; "" where the set does not say.
	Provenance string `json:"provenance,omitempty"`

	// Bytes is the content of the file with the changes, to be read only.
	Bytes []byte `json:"-"`
}

// Verify compares the bytes with the manifest's SHA-256.
func (m Model) Verify() error {
	sum := sha256.Sum256(m.Bytes)
	if got := hex.EncodeToString(sum[:]); got != m.SHA256 {
		return fmt.Errorf("model %s: file %s (%d bytes) is not the one of the manifest: SHA-256 is %s, not %s",
			m.Name, m.File, len(m.Bytes), got, m.SHA256)
	}
	return nil
}

// Threshold returns the value of a threshold; ok is false where the manifest
// has none of that name.
func (m Model) Threshold(name string) (value float64, ok bool) {
	t, ok := m.Thresholds[name]
	return t.Value, ok
}

// Set is every model of the binary. It is immutable and safe for concurrent
// use.
type Set struct {
	version     uint64
	models      []Model // sorted by name
	site        []byte
	kinds       map[string][]byte
	calibration []byte
}

// Open reads the embedded manifest and verifies every file against it. The
// error names the file that is wrong.
func Open() (*Set, error) { return open(embedded) }

// Load reads a set from the top of a file system, as Open does from the
// binary. The files are read whole, and not used afterwards.
func Load(files fs.FS) (*Set, error) { return open(files) }

// Version numbers the set: a newer one has the greater number. It is the day
// of its making and a count, YYYYMMDDnn.
func (s *Set) Version() uint64 { return s.version }

// Site returns the content of SiteFile, nil where the set has none; it is to be read only.
func (s *Set) Site() []byte { return s.site }

// Calibration returns the content of CalibrationFile, nil where the set brings none and that of the program holds; it is to be read only.
func (s *Set) Calibration() []byte { return s.calibration }

// WithCalibration is the set with another calibration; nil is that of the program.
func (s *Set) WithCalibration(text []byte) *Set {
	with := *s
	with.calibration = text
	return &with
}

// Numbers is the calibration by which documents are read: that of the set or, where it brings none, of the program.
func (s *Set) Numbers() (Calibration, error) {
	if s.calibration == nil {
		return OpenCalibration()
	}
	c, err := ParseCalibration(s.calibration)
	c.brought = true
	return c, err
}

// WithoutSite is the set without what a site learned.
func (s *Set) WithoutSite() *Set { return s.WithSite(nil) }

// WithSite is the set with what a site learned; nil is nothing.
func (s *Set) WithSite(text []byte) *Set {
	with := *s
	with.site = text
	return &with
}

// List returns all models, sorted by name.
func (s *Set) List() []Model { return slices.Clone(s.models) }

// Stated returns the set without the content of its files, what the manifest says of them, and without the golden sets of its kinds.
func (s *Set) Stated() *Set {
	stated := *s
	stated.models, stated.kinds = slices.Clone(s.models), statedKinds(s.kinds)
	for i := range stated.models {
		stated.models[i].Bytes = nil
	}
	return &stated
}

// Model returns the model of that name, or ErrUnknown.
func (s *Set) Model(name string) (Model, error) {
	for _, m := range s.models {
		if m.Name == name {
			return m, nil
		}
	}
	return Model{}, fmt.Errorf("model %q: %w", name, ErrUnknown)
}

// open reads a set from any file system, so that tests can damage one.
func open(files fs.FS) (*Set, error) {
	text, err := fs.ReadFile(files, manifestFile)
	if err != nil {
		return nil, fmt.Errorf("read model manifest: %w", err)
	}
	var manifest struct {
		Version uint64  `json:"version"`
		Models  []Model `json:"models"`
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&manifest); err != nil {
		return nil, fmt.Errorf("read %s: %w", manifestFile, err)
	}
	s := &Set{version: manifest.Version, models: manifest.Models}
	slices.SortFunc(s.models, func(a, b Model) int { return strings.Compare(a.Name, b.Name) })
	known := make(map[string]bool)
	for i := range s.models {
		m := &s.models[i]
		if i > 0 && m.Name == s.models[i-1].Name {
			return nil, fmt.Errorf("read %s: model %s is named twice", manifestFile, m.Name)
		}
		if err := load(files, m); err != nil {
			return nil, err
		}
		known[m.File] = true
	}
	if err := strangers(files, known); err != nil {
		return nil, err
	}
	if s.site, err = fs.ReadFile(files, SiteFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read %s: %w", SiteFile, err)
	}
	if s.kinds, err = loadKinds(files); err != nil {
		return nil, err
	}
	return s, s.loadCalibration(files)
}

// loadCalibration reads the calibration of a set, which may have none.
func (s *Set) loadCalibration(files fs.FS) (err error) {
	switch s.calibration, err = fs.ReadFile(files, CalibrationFile); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("read %s: %w", CalibrationFile, err)
	case len(s.calibration) > mostCalibrationBytes:
		return fmt.Errorf("%s: larger than %d MiB", CalibrationFile, mostCalibrationBytes>>20)
	}
	_, err = s.Numbers()
	return err
}

// load reads a model's file, verifies it and checks its entry for sense.
func load(files fs.FS, m *Model) error {
	var err error
	if m.Bytes, err = fs.ReadFile(files, m.File); err != nil {
		return fmt.Errorf("model %s: read file: %w", m.Name, err)
	}
	if err := m.change(); err != nil {
		return err
	}
	if err := m.Verify(); err != nil {
		return err
	}
	if err := m.Input.check(); err != nil {
		return fmt.Errorf("model %s: input %w", m.Name, err)
	}
	if err := m.Output.check(); err != nil {
		return fmt.Errorf("model %s: output %w", m.Name, err)
	}
	if err := m.checkLabels(); err != nil {
		return fmt.Errorf("model %s: labels %w", m.Name, err)
	}
	if !slices.Contains([]string{"", Clean, ResearchData}, m.Provenance) {
		return fmt.Errorf("model %s: provenance %q is neither %q nor %q", m.Name, m.Provenance, Clean, ResearchData)
	}
	for i := range m.Widths {
		if _, _, err := m.Resized(i); err != nil {
			return err
		}
	}
	return nil
}

// change makes the model of the file that it was read from.
func (m *Model) change() error {
	if len(m.Changes) == 0 {
		return nil
	}
	m.Bytes = slices.Clone(m.Bytes)
	for at, b := range m.Changes {
		if at < 0 || at >= len(m.Bytes) {
			return fmt.Errorf("model %s: change at %d: %s has %d bytes", m.Name, at, m.File, len(m.Bytes))
		}
		m.Bytes[at] = b
	}
	return nil
}

// Resized returns the input and the output of the model at the i-th of its other widths.
func (m Model) Resized(i int) (input, output Tensor, err error) {
	input, output = m.Input, m.Output
	input.Shape, output.Shape = slices.Clone(input.Shape), slices.Clone(output.Shape)
	if len(input.Shape) != 4 || len(output.Shape) < 2 {
		return input, output, fmt.Errorf("model %s: width %d: the network has no columns", m.Name, m.Widths[i])
	}
	width, columns := input.Shape[2], &output.Shape[len(output.Shape)-2]
	if w := m.Widths[i]; w < 1 || w == width || *columns*w%width != 0 || i > 0 && w <= m.Widths[i-1] {
		return input, output, fmt.Errorf("model %s: width %d is not above the one before, other than %d and whole columns", m.Name, w, width)
	}
	input.Shape[2], *columns = m.Widths[i], *columns*m.Widths[i]/width
	return input, output, nil
}

// checkLabels finds labels that do not name each class but the blank once.
func (m Model) checkLabels() error {
	if m.Labels == "" {
		return nil
	}
	runes := []rune(m.Labels)
	if classes := m.Output.Shape[len(m.Output.Shape)-1]; len(runes) != classes-1 {
		return fmt.Errorf("name %d symbols for %d classes, of which one is the blank", len(runes), classes)
	}
	slices.Sort(runes)
	if len(slices.Compact(runes)) < len([]rune(m.Labels)) {
		return errors.New("name a symbol twice")
	}
	return nil
}

// check finds entries that no network of ours can have.
func (t Tensor) check() error {
	if len(t.Shape) == 0 || t.Shape[0] != 1 || slices.Min(t.Shape) < 1 {
		return fmt.Errorf("shape %v: not a batch of 1 of fixed size", t.Shape)
	}
	if t.Type != "int8" || !(t.Scale > 0) || t.ZeroPoint < -128 || t.ZeroPoint > 127 {
		return fmt.Errorf("type %q, scale %g, zero point %d: not a quantized int8 tensor", t.Type, t.Scale, t.ZeroPoint)
	}
	channels := map[string]int{"": t.Shape[len(t.Shape)-1], Grey: 1, RGB: 3, YCbCr: 3}
	if n, ok := channels[t.Channels]; !ok || n != t.Shape[len(t.Shape)-1] {
		return fmt.Errorf("channels %q do not fit shape %v", t.Channels, t.Shape)
	}
	return nil
}

// strangers refuses model files that the manifest does not name: one of them
// would be carried and never checked.
func strangers(files fs.FS, known map[string]bool) error {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return fmt.Errorf("list model files: %w", err)
	}
	for _, e := range entries {
		if path.Ext(e.Name()) == ".tflite" && !known[e.Name()] {
			return fmt.Errorf("file %s is in no entry of %s", e.Name(), manifestFile)
		}
	}
	return nil
}
