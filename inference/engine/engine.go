// Package engine wires the networks of a model set to the readers of documents and faces. The daemon, the commands that read one
// picture and the measurements all open the same engine, so that what is measured is what answers.
package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/decode"
	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/inference/fraud"
	"github.com/bawab/bawab/inference/general"
	"github.com/bawab/bawab/inference/kind"
	"github.com/bawab/bawab/inference/line"
	"github.com/bawab/bawab/inference/multi"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/passport"
	"github.com/bawab/bawab/inference/pdf"
	"github.com/bawab/bawab/inference/plate"
	"github.com/bawab/bawab/inference/reading"
	"github.com/bawab/bawab/inference/scene"
	"github.com/bawab/bawab/inference/site"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/zone"
	"github.com/bawab/bawab/models"
)

// The networks, by their names in the manifest.
const (
	modelBaseline     = "baseline"
	modelDigits       = "digits"
	modelDocuments    = "documents"
	modelFraud        = "fraud"
	modelLines        = "lines"
	modelLinesWide    = "lines_wide"
	modelMRZ          = "mrz"
	modelNumbers      = "numbers"
	ModelPlates       = "plates"
	modelSurroundings = "surroundings"
	modelText         = "text"
	modelTextGeneral  = "text_general"
)

// Engine is everything that reads pictures: the networks and the readers over them.
type Engine struct {
	Set *models.Set // without the content of its files
	// Calibration says by which numbers documents are read.
	Calibration models.Origin
	Networks    *inference.Runtime
	Decoder     pdf.Decoder
	Fraud       *fraud.Detector
	Passport    *passport.Reader
	General     *general.Reader
	multi       *multi.Reader
	Plates      *plate.Reader
	plate       *plate.Endpoint
	Guide       *scene.Guide
	Faces       Faces
	// cards read the kinds of the program that are described.
	cards map[appliance.Kind]*reading.Reader
	// documents finds the documents of a picture.
	documents *outline.Finder
	// site is what the site learned on its own pictures.
	site *site.Rules
	// kinds read the kinds of documents that the set brings, in the order of their names.
	kinds   []*kind.Reader
	Workers int
}

// Open opens the networks in the program, with a place for each worker to run them. workers 0 takes one per core.
func Open(ctx context.Context, p configs.Picture, workers int) (*Engine, error) {
	set, err := Embedded()
	if err != nil {
		return nil, err
	}
	return OpenSet(ctx, set, p, workers)
}

// OpenSet opens the networks of a set.
func OpenSet(ctx context.Context, set *models.Set, p configs.Picture, workers int) (_ *Engine, err error) {
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	e := &Engine{Set: set.Stated(), Workers: workers, Decoder: pdf.Decoder{Decoder: decode.Decoder{
		MaxBytes: int(p.MaxBytes), MaxPixels: p.MaxPixels, MinSide: p.MinSide,
		Large: queue.New(1, workers), Huge: queue.New(1, workers),
	}}}
	e.Decoder.Large.WhenQuiet(tidyAfter, inference.Tidy)
	if e.Networks, err = inference.Open(ctx, set.List(), workers); err != nil {
		return nil, err
	}
	if err := e.load(); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// tidyAfter is how long after the last large picture its memory is given back: while more of them come, they need it again.
const tidyAfter = 2 * time.Second

// printSide is the least width and height of pictures of print and of plates, which are read at the scale of their signs.
const printSide = 16

// PrintDecoder decodes pictures that may be as low as one line of print.
func (e *Engine) PrintDecoder() pdf.Decoder {
	d := e.Decoder
	d.MinSide = printSide
	return d
}

// FrameDecoder decodes the frames of a burst.
func (e *Engine) FrameDecoder() decode.FrameDecoder {
	return decode.FrameDecoder{PictureDecoder: e.Decoder}
}

// load puts the readers over the networks.
func (e *Engine) load() error {
	open, err := e.networks()
	if err != nil {
		return err
	}
	words, err := e.lineReader(open, modelText)
	if err != nil {
		return err
	}
	signs, err := e.lineReader(open, modelTextGeneral)
	if err != nil {
		return err
	}
	numbers, err := e.numberReader(open[modelNumbers])
	if err != nil {
		return err
	}
	if e.Fraud, err = e.detector(open); err != nil {
		return err
	}
	if e.Plates, err = e.plateReader(open[ModelPlates]); err != nil {
		return err
	}
	if e.documents, err = outline.New(open[modelDocuments]); err != nil {
		return err
	}
	tools, err := e.tools(open, words, numbers)
	if err != nil {
		return err
	}
	if tools.Described, err = e.loadKinds(tools); err != nil {
		return err
	}
	e.readWith(tools, zone.NewReader(open[modelLines], open[modelMRZ], tools.Now))
	letters, err := text.NewLetters()
	if err != nil {
		return err
	}
	e.General = general.NewReader(tools.Detector, words, signs, numbers, letters)
	return e.loadFaces()
}

// networks are those of documents and of general text, by their names; each must be there.
func (e *Engine) networks() (map[string]*inference.Network, error) {
	open := map[string]*inference.Network{}
	for _, name := range []string{
		modelBaseline, modelDigits, modelDocuments, modelFraud, modelLines, modelLinesWide, modelMRZ, modelNumbers, ModelPlates,
		modelSurroundings, modelText, modelTextGeneral,
	} {
		if open[name] = e.Networks.Network(name); open[name] == nil {
			return nil, fmt.Errorf("open networks: %w: %s", models.ErrUnknown, name)
		}
	}
	return open, nil
}

// loadKinds makes the readers of the kinds that the set brings, and returns those of the program, both as the site's documents print them.
func (e *Engine) loadKinds(t reading.Tools) ([]*form.Description, error) {
	brought, err := KindsOf(e.Set)
	if err != nil {
		return nil, err
	}
	if e.site, err = site.New(e.Set.Site(), brought); err != nil {
		return nil, err
	}
	if e.kinds, err = kindsOf(e.Set, t, e.site); err != nil {
		return nil, err
	}
	return described(e.site)
}

// readWith makes the readers of documents: those of the kinds that are described, and over them those that are read in ways of their own.
func (e *Engine) readWith(t reading.Tools, zones *zone.Reader) {
	pages := &passport.Pages{Tools: t, Zones: zones}
	t.Own = []reading.Own{pages.Own(), plate.Own(e.Plates)}
	e.Guide = scene.NewGuide(e.documents)
	e.cards = map[appliance.Kind]*reading.Reader{}
	for _, k := range t.Described {
		e.cards[k.Kind] = reading.NewReader(k.Kind, t)
	}
	e.Passport = passport.NewReader(t, pages)
	e.plate = plate.NewEndpoint(plate.NewLargest(t, e.documents, e.Plates), e.Plates)
	e.multi = multi.New(t, e.documents, pages, e.Plates)
}

// tools are what documents are read with, by the numbers of the set's calibration.
func (e *Engine) tools(
	open map[string]*inference.Network, words *text.LineReader, numerals *text.NumberReader,
) (t reading.Tools, err error) {
	cairo, err := egypt.Cairo()
	if err != nil {
		return t, err
	}
	numbers, err := Numbers(e.Set)
	if err != nil {
		return t, fmt.Errorf("open the document engine: %w", err)
	}
	e.Calibration = numbers.Origin()
	rows, err := text.NewRows(numbers.Values())
	if err != nil {
		return t, err
	}
	calibration := &form.Calibration{}
	if err := numbers.Fill(calibration); err != nil {
		return t, fmt.Errorf("open the document engine: %w", err)
	}
	return reading.Tools{
		Finder: e.documents, Detector: line.NewDetector(open[modelLines], open[modelLinesWide]),
		Words: words.By(rows), Digits: text.NewDigitReader(open[modelDigits]).WithPersian(numerals), Calibration: calibration,
		Fraud: e.Fraud, Now: func() time.Time { return time.Now().In(cairo) },
	}, nil
}

// lineReader puts a reader of lines over one of the networks that read them, with the signs that it tells.
func (e *Engine) lineReader(open map[string]*inference.Network, name string) (*text.LineReader, error) {
	m, err := e.Set.Model(name)
	if err != nil {
		return nil, err
	}
	return text.NewLineReader(open[name], open[modelBaseline], m.Labels)
}

// numberReader puts the reader of numbers over its network, with the signs that it tells.
func (e *Engine) numberReader(net *inference.Network) (*text.NumberReader, error) {
	m, err := e.Set.Model(modelNumbers)
	if err != nil {
		return nil, err
	}
	return text.NewNumberReader(net, m.Labels)
}

// plateReader puts the reader of plates over its network, with the threshold of the manifest.
func (e *Engine) plateReader(net *inference.Network) (*plate.Reader, error) {
	m, err := e.Set.Model(ModelPlates)
	if err != nil {
		return nil, err
	}
	accept, ok := m.Threshold("accept")
	if !ok {
		return nil, errors.New("open plate reader: the manifest has no threshold accept")
	}
	return plate.NewReader(net, m.Labels, accept)
}

// detector puts the detector of fraud over its networks, with the thresholds of the manifest.
func (e *Engine) detector(open map[string]*inference.Network) (*fraud.Detector, error) {
	m, err := e.Set.Model(modelFraud)
	if err != nil {
		return nil, err
	}
	thresholds := map[string]float64{}
	for name, t := range m.Thresholds {
		thresholds[name] = t.Value
	}
	return fraud.New(open[modelFraud], open[modelSurroundings], thresholds), nil
}

// Readers returns the readers of the endpoints that are built.
func (e *Engine) Readers() map[appliance.Endpoint]appliance.Reader {
	readers := map[appliance.Endpoint]appliance.Reader{
		appliance.EndpointPassport:     e.bounded(e.withPortrait(e.Passport)),
		appliance.EndpointLicensePlate: e.bounded(e.plate),
		appliance.EndpointMulti:        e.bounded(e.withPortrait(e.multi)),
		appliance.EndpointGeneral:      bounded{e.General, inference.NewTextBudget},
	}
	for k, r := range e.cards {
		if endpoint, ok := appliance.EndpointOf(k); ok {
			readers[endpoint] = e.bounded(e.withPortrait(r))
		}
	}
	for _, k := range e.kinds {
		readers[appliance.KindEndpoint(k.Model().Kind)] = e.bounded(k)
	}
	return readers
}

// ReaderOf is the reader of a kind: of the contract, or one that the set brings; nil where there is none.
func (e *Engine) ReaderOf(k appliance.Kind) appliance.Reader {
	if endpoint, ok := appliance.EndpointOf(k); ok {
		return e.Readers()[endpoint]
	}
	return e.Readers()[appliance.KindEndpoint(k)]
}

// bounded returns a reader with bounds, by the site's rules.
func (e *Engine) bounded(r appliance.Reader) appliance.Reader {
	return e.site.Reader(bounded{r, inference.NewBudget})
}

// bounded is a reader that gives each picture the work that one of its size may cost.
type bounded struct {
	appliance.Reader
	budget func(pixels int) *inference.Budget
}

// Read implements appliance.Reader.
func (r bounded) Read(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (appliance.Reading, error) {
	ctx = inference.WithBudget(ctx, r.budget(p.Width*p.Height))
	reading, err := r.Reader.Read(ctx, p, earlier)
	if errors.Is(err, inference.ErrBudget) {
		err = appliance.Errorf(
			appliance.CodeNoDocument,
			"no known document was found with the work that a picture of its size may take: show one document or page alone, and closer",
		)
	}
	return reading, err
}

// Close frees the networks. It may be called twice.
func (e *Engine) Close() error { return e.Networks.Close() }

// Built reports whether this binary can answer an endpoint.
func (e *Engine) Built(endpoint appliance.Endpoint) bool {
	switch endpoint {
	case appliance.EndpointFaceMatch:
		return e.Faces.Finder != nil
	case appliance.EndpointLiveness:
		return e.Faces.attacks.Near != nil && e.Faces.attacks.Wide != nil
	}
	return e.Readers()[endpoint] != nil
}
