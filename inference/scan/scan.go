// Package scan reads one picture as the API would, without a daemon, and prints the answer.
package scan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference/drawing"
	"github.com/bawab/bawab/inference/engine"
)

// Call is one reading of a picture.
type Call struct {
	Engine  *engine.Engine
	Limits  configs.Picture
	Picture []byte // the content of the file
	Page    int    // from 1
	// Endpoint is "" where the kind is told from the picture.
	Endpoint appliance.Endpoint
	Compact  bool   // prints the answer on one line
	Evidence bool   // adds Services.evidence
	Draw     string // file to draw on, "" for none
	Out      io.Writer
	Errs     io.Writer
}

// Offered are the endpoints that an engine reads pictures for.
func Offered(e *engine.Engine) []appliance.Endpoint {
	offered := appliance.DocumentEndpoints()
	for _, k := range e.Kinds() {
		offered = append(offered, appliance.KindEndpoint(k.Kind))
	}
	return offered
}

// Explain prints how a document of a kind that a model set brings was taken apart.
func (c *Call) Explain(ctx context.Context) error {
	p, err := c.Engine.Decoder.DecodePage(ctx, c.Picture, c.Page)
	if err != nil {
		return err
	}
	endpoint := c.Endpoint
	if endpoint == "" {
		if endpoint, err = c.toExplain(ctx); err != nil {
			return err
		}
		fmt.Fprintf(c.Errs, "explained as %s; --endpoint explains it as something else\n", ShortName(endpoint))
	}
	text, err := c.Engine.Explain(ctx, endpoint.Kind(), p)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(c.Out, text)
	return err
}

// toExplain tells which kind that the set brings the picture shows; where it shows nothing known, that is the only one that there is.
func (c *Call) toExplain(ctx context.Context) (appliance.Endpoint, error) {
	endpoint, answer, err := readUnnamed(c.reader(ctx, appliance.NewGUID()), c.Engine.Kinds())
	known := anyKnown(answer)
	var kinds []string
	for _, k := range c.Engine.Kinds() {
		e := appliance.KindEndpoint(k.Kind)
		if e == endpoint || !known && len(c.Engine.Kinds()) == 1 {
			return e, nil
		}
		kinds = append(kinds, "--endpoint "+ShortName(e))
	}
	if err != nil {
		return "", advised(err)
	}
	e := appliance.Errorf(appliance.CodeBadRequest, "the picture was read as %s, which is not explained", ShortName(endpoint))
	e.Op, e.Hint = "explain", "name one of these: "+strings.Join(kinds, ", ")
	if len(kinds) == 0 {
		e.Hint = "name a folder of kinds with --kinds"
	}
	return "", e
}

// reader reads the picture through endpoints, as a daemon with nothing to keep would.
func (c *Call) reader(ctx context.Context, id string) func(appliance.Endpoint) (usecase.ReadAnswer, error) {
	a := usecase.New(
		usecase.Deps{
			Decoder:      c.Engine.Decoder,
			PrintDecoder: c.Engine.PrintDecoder(),
			Networks:     usecase.Networks{Readers: c.Engine.Readers(), Kinds: c.Engine.Kinds()},
			Queue:        queue.New(1, 0),
			Now:          time.Now,
			Holders:      engine.HolderRules(),
			Patience:     c.Limits.MaxTime,
		},
	)
	return func(e appliance.Endpoint) (usecase.ReadAnswer, error) {
		return a.Read(ctx, usecase.ReadRequest{Endpoint: e, RequestID: id, Image: c.Picture, Page: c.Page})
	}
}

// Answer reads the picture and prints the envelope, also one that holds a failure, and returns that failure.
func (c *Call) Answer(ctx context.Context) error {
	id := appliance.NewGUID()
	read := c.reader(ctx, id)
	endpoint := c.Endpoint
	var answer usecase.ReadAnswer
	var failure error
	if endpoint == "" {
		endpoint, answer, failure = readUnnamed(read, c.Engine.Kinds())
		switch {
		case failure == nil && !anyKnown(answer):
			fmt.Fprintln(c.Errs, "it shows no document that is known; --endpoint general reads its text")
		case failure == nil:
			fmt.Fprintf(c.Errs, "read as %s; --endpoint reads it as something else\n", ShortName(endpoint))
			if n := len(answer.Others); n > 0 {
				fmt.Fprintf(c.Errs, "hint: the picture shows %s more: --endpoint multi reads all\n", words.Count(n, "document", "documents"))
			}
		}
	} else {
		answer, failure = read(endpoint)
	}
	if failure != nil {
		return errors.Join(advised(failure), words.PrintJSON(c.Out, wire.ErrorEnvelope(id, failure), c.Compact))
	}
	envelope := wire.Envelope(wire.Answer{
		Endpoint: endpoint, RequestID: id, TransactionID: answer.TransactionID,
		Reading: answer.Reading, Evidence: c.Evidence,
	})
	if err := words.PrintJSON(c.Out, envelope, c.Compact); err != nil {
		return err
	}
	c.tellOthers(answer.Documents)
	if c.Draw == "" {
		return nil
	}
	decoded, err := c.Engine.PrintDecoder().DecodePage(ctx, c.Picture, c.Page)
	if err != nil {
		return err
	}
	return drawing.Write(c.Draw, decoded, answer.Reading)
}

// readUnnamed reads a picture whose kind nobody has named. Where that is none of the contract's, and its text proves it to be of one of
// the kinds that a set brings, it is that.
func readUnnamed(
	read func(appliance.Endpoint) (usecase.ReadAnswer, error), kinds []appliance.KindModel,
) (appliance.Endpoint, usecase.ReadAnswer, error) {
	endpoint, answer, err := readOfContract(read)
	if anyKnown(answer) || err != nil && appliance.CodeOf(err) != appliance.CodeNoDocument {
		return endpoint, answer, err
	}
	for _, k := range kinds {
		e := appliance.KindEndpoint(k.Kind)
		if own, failed := read(e); failed == nil && own.Documents[0].Kind == k.Kind {
			return e, own, nil
		}
	}
	return endpoint, answer, err
}

// anyKnown reports whether an answer holds a document of a kind that is known.
func anyKnown(answer usecase.ReadAnswer) bool {
	return slices.ContainsFunc(answer.Documents, func(d appliance.Document) bool { return d.Kind != appliance.Unknown })
}

// readOfContract reads a picture as a passport, the most common document that can be in any picture, and then as what that reading found.
// The answer to a picture without a document is that of a card.
func readOfContract(read func(appliance.Endpoint) (usecase.ReadAnswer, error)) (appliance.Endpoint, usecase.ReadAnswer, error) {
	endpoint := appliance.EndpointPassport
	answer, err := read(endpoint)
	switch {
	case appliance.CodeOf(err) == appliance.CodeNoDocument:
		endpoint = appliance.EndpointIDFront
		answer, err = read(endpoint)
	case err != nil:
		return endpoint, answer, err
	}
	if err != nil {
		return endpoint, answer, err
	}
	for _, d := range answer.Documents {
		if e, ok := appliance.EndpointOf(d.Kind); ok && d.Flagged("", appliance.CodeOtherDocument) {
			answer, err = read(e)
			return e, answer, err
		}
	}
	return endpoint, answer, nil
}

// ShortName is an endpoint as people write it.
func ShortName(e appliance.Endpoint) string { return strings.TrimPrefix(string(e), "ocr/") }

// advised parts what to do from the failure of a picture, which the API tells in one sentence: the command line has hints.
func advised(failure error) error {
	var e *appliance.Error
	if !errors.As(failure, &e) || e.Hint != "" {
		return failure
	}
	for _, mark := range []string{"; ", ": "} {
		if at := strings.LastIndex(e.Msg, mark); at >= 0 {
			return &appliance.Error{Code: e.Code, Op: e.Op, Msg: e.Msg[:at], Hint: e.Msg[at+len(mark):], Err: e.Err}
		}
	}
	return failure
}

// tellOthers names the endpoint of each document that is another than what was asked for.
func (c *Call) tellOthers(documents []appliance.Document) {
	for _, d := range documents {
		if e, ok := appliance.EndpointOf(d.Kind); ok && d.Flagged("", appliance.CodeOtherDocument) {
			fmt.Fprintf(c.Errs, "hint: this is a %s: use --endpoint %s\n", d.Kind, ShortName(e))
		}
	}
}
