package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/card"
	"github.com/bawab/bawab/inference/fraud"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/pdf"
	"github.com/bawab/bawab/inference/plate"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
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
	modelPlates       = "plates"
	modelSurroundings = "surroundings"
	modelText         = "text"
)

// engine is everything that reads pictures: the networks and the readers over them.
type engine struct {
	set      *models.Set // without the content of its files
	networks *inference.Runtime
	decoder  pdf.Decoder
	fraud    *fraud.Detector
	passport *card.PassportReader
	front    *card.Reader
	back     *card.Reader
	driving  *card.Reader
	carFront *card.Reader
	carBack  *card.Reader
	general  *card.GeneralReader
	multi    *card.MultiReader
	plates   *plate.Reader
	plate    *plate.Endpoint
	guide    *card.Guide
	faces    faceEngine
	// documents finds the documents of a picture.
	documents *outline.Finder
	workers   int
}

// openEngine opens the networks in the program, with a place for each worker to run them. workers 0 takes one per core.
func openEngine(ctx context.Context, p configs.Picture, workers int) (*engine, error) {
	set, err := openEmbedded()
	if err != nil {
		return nil, err
	}
	return openEngineOf(ctx, set, p, workers)
}

// openEngineOf opens the networks of a set.
func openEngineOf(ctx context.Context, set *models.Set, p configs.Picture, workers int) (_ *engine, err error) {
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	e := &engine{set: set.Stated(), workers: workers, decoder: pdf.Decoder{Decoder: vision.Decoder{
		MaxBytes: int(p.MaxBytes), MaxPixels: p.MaxPixels, MinSide: p.MinSide,
		Large: appliance.NewQueue(1, workers),
	}}}
	if e.networks, err = inference.Open(ctx, set.List(), workers); err != nil {
		return nil, err
	}
	if err := e.load(); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// printSide is the least width and height of pictures of print and of plates, which are read at the scale of their signs.
const printSide = 16

// printDecoder decodes pictures that may be as low as one line of print.
func (e *engine) printDecoder() pdf.Decoder {
	d := e.decoder
	d.MinSide = printSide
	return d
}

// load puts the readers over the networks.
func (e *engine) load() error {
	zone, err := cairo()
	if err != nil {
		return err
	}
	open := map[string]*inference.Network{}
	for _, name := range []string{modelLines, modelLinesWide, modelBaseline, modelMRZ, modelText, modelDigits, modelDocuments, modelFraud, modelSurroundings, modelPlates} {
		if open[name] = e.networks.Network(name); open[name] == nil {
			return fmt.Errorf("open networks: %w: %s", models.ErrUnknown, name)
		}
	}
	now := func() time.Time { return time.Now().In(zone) }
	m, err := e.set.Model(modelText)
	if err != nil {
		return err
	}
	words, err := text.NewLineReader(open[modelText], open[modelBaseline], m.Labels)
	if err != nil {
		return err
	}
	if e.fraud, err = e.detector(open); err != nil {
		return err
	}
	if e.plates, err = e.plateReader(open[modelPlates]); err != nil {
		return err
	}
	e.documents = outline.New(open[modelDocuments])
	tools := card.Tools{
		Finder: e.documents, Detector: text.NewDetector(open[modelLines], open[modelLinesWide]),
		Words: words, Digits: text.NewDigitReader(open[modelDigits]),
		Zones: card.NewZoneReader(open[modelLines], open[modelMRZ], now), Plates: e.plates, Fraud: e.fraud, Now: now,
	}
	e.guide = card.NewGuide(tools.Finder)
	e.passport, e.multi = card.NewPassportReader(tools), card.NewMultiReader(tools)
	e.front, e.back = card.NewReader(appliance.NationalIDFront, tools), card.NewReader(appliance.NationalIDBack, tools)
	e.driving = card.NewReader(appliance.DrivingLicense, tools)
	e.carFront, e.carBack = card.NewReader(appliance.CarLicenseFront, tools), card.NewReader(appliance.CarLicenseBack, tools)
	e.plate = plate.NewEndpoint(card.NewReader(appliance.LicensePlate, tools), e.plates)
	e.general = card.NewGeneralReader(tools.Detector, words)
	return e.loadFaces()
}

// plateReader puts the reader of plates over its network, with the threshold of the manifest.
func (e *engine) plateReader(net *inference.Network) (*plate.Reader, error) {
	m, err := e.set.Model(modelPlates)
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
func (e *engine) detector(open map[string]*inference.Network) (*fraud.Detector, error) {
	m, err := e.set.Model(modelFraud)
	if err != nil {
		return nil, err
	}
	thresholds := map[string]float64{}
	for name, t := range m.Thresholds {
		thresholds[name] = t.Value
	}
	return fraud.New(open[modelFraud], open[modelSurroundings], thresholds), nil
}

// readers returns the readers of the endpoints that are built.
func (e *engine) readers() map[appliance.Endpoint]appliance.Reader {
	return map[appliance.Endpoint]appliance.Reader{
		appliance.EndpointIDFront:         bounded{e.withPortrait(e.front)},
		appliance.EndpointIDBack:          bounded{e.withPortrait(e.back)},
		appliance.EndpointDrivingLicense:  bounded{e.withPortrait(e.driving)},
		appliance.EndpointCarLicenseFront: bounded{e.withPortrait(e.carFront)},
		appliance.EndpointCarLicenseBack:  bounded{e.withPortrait(e.carBack)},
		appliance.EndpointPassport:        bounded{e.withPortrait(e.passport)},
		appliance.EndpointLicensePlate:    bounded{e.plate},
		appliance.EndpointMulti:           bounded{e.withPortrait(e.multi)},
		appliance.EndpointGeneral:         bounded{e.general},
	}
}

// bounded is a reader that gives each picture the work that one of its size may cost.
type bounded struct{ appliance.Reader }

// Read implements appliance.Reader.
func (r bounded) Read(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (appliance.Reading, error) {
	ctx = inference.WithBudget(ctx, inference.NewBudget(p.Width*p.Height))
	reading, err := r.Reader.Read(ctx, p, earlier)
	if errors.Is(err, inference.ErrBudget) {
		err = appliance.Errorf(appliance.CodeNoDocument, "the picture shows more than one of its size may: take one that shows one document or page alone, and closer")
	}
	return reading, err
}

// Close frees the networks. It may be called twice.
func (e *engine) Close() error { return e.networks.Close() }
