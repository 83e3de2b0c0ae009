package appliance

import (
	"context"
	"time"
)

// Reader reads one picture for one endpoint. It answers CodeNoDocument when it finds nothing to read.
//
// earlier holds the documents that the same transaction has read before, newest first, so that two sides of a card can
// be decoded together; it is empty outside a living transaction and belongs to the reader. A document of another kind
// than the endpoint asks for is returned as what it is, with what could be read of it: Appliance flags it.
type Reader interface {
	Read(ctx context.Context, p *Picture, earlier []Document) (Reading, error)
}

// Reading is what a Reader found.
type Reading struct {
	// Documents holds one document, or several for EndpointMulti.
	Documents []Document
	// Others are further documents that the picture shows and that were not read, largest first.
	Others []Outline
	// Lines is filled by EndpointGeneral alone.
	Lines []Line
	// Stages are the steps of the work in order, with the time that each took.
	Stages []Stage
}

// Stage is one timed step of a request.
type Stage struct {
	Name    string
	Elapsed time.Duration
	// Runs counts the inferences of networks in this step, and MACs their multiply-accumulates.
	Runs, MACs int64
}
