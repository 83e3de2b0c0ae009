package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/inference/drawing"
	"github.com/bawab/bawab/inference/engine"
)

func scanCommand() *cobra.Command {
	c := leaf(&cobra.Command{
		Use: "scan PICTURE", Short: "read one picture, without a daemon",
		Long: `Reads one picture and prints the answer that POST /v1/ocr/... would give. No daemon is needed and nothing is
kept. PICTURE is a JPEG, PNG, WebP, BMP or TIFF file or a scanned PDF, or - for standard input.

In a drawing a field is green where no code names it, amber where one does, which is printed beside it, and red where it is
empty or not readable. Lines of general text have no codes: their colour is that of their confidence.

Without --endpoint the kind is told from the picture, and standard error says which one it is. A document of another kind
than --endpoint says is read as far as both have the same fields (3308), and a hint on standard error names its endpoint.
Exit code 1 when the answer holds an error, such as 3011: no document found.`,
	}, func(fs *flag.FlagSet) action {
		var s scan
		s.place.flags(fs)
		fs.StringVar(
			&s.endpoint,
			"endpoint",
			"",
			"`WHAT` to read: passport, id/front, id/back, driving_license, multi, general ...; told from the picture, if left out",
		)
		fs.IntVar(&s.page, "page", 1, "`PAGE` of a TIFF or PDF to read")
		fs.BoolVar(&s.compact, "json", false, "print the answer on one line, for programs")
		fs.BoolVar(&s.evidence, "evidence", false, "add Services.evidence: places, confidence and checks of each field")
		fs.StringVar(&s.draw, "draw", "", "also draw what was found on a copy of the picture and write that to `FILE` (.png or .jpg)")
		return func(ctx context.Context, t *terminal, args []string) error { return s.run(ctx, t, args[0]) }
	})
	completeEndpoint(c, appliance.DocumentEndpoints())
	return c
}

// completeEndpoint lets the shell complete the values of --endpoint.
func completeEndpoint(c *cobra.Command, offered []appliance.Endpoint) {
	var names []cobra.Completion
	for _, e := range offered {
		names = append(names, shortName(e))
	}
	if err := c.RegisterFlagCompletionFunc("endpoint", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag is not declared
	}
}

// scan is one call of the command.
type scan struct {
	place    place
	endpoint string
	compact  bool
	evidence bool
	draw     string
	page     int
}

// parseEndpoint takes one of the endpoints that a command offers as people write it: passport, ocr/passport or /v1/ocr/passport.
func parseEndpoint(s string, offered []appliance.Endpoint) (appliance.Endpoint, error) {
	s = strings.TrimPrefix(strings.TrimPrefix(s, "/"), "v1/")
	e := appliance.Endpoint("ocr/" + strings.TrimPrefix(s, "ocr/"))
	if slices.Contains(offered, e) {
		return e, nil
	}
	var names []string
	for _, e := range offered {
		names = append(names, shortName(e))
	}
	return "", &usageError{msg: fmt.Sprintf("there is no endpoint %q: choose %s", s, strings.Join(names, ", "))}
}

// run prints the envelope, also one that holds a failure, and returns that failure.
func (s *scan) run(ctx context.Context, t *terminal, name string) (err error) {
	var endpoint appliance.Endpoint
	if s.endpoint != "" {
		if endpoint, err = parseEndpoint(s.endpoint, appliance.DocumentEndpoints()); err != nil {
			return err
		}
	}
	if ext := strings.ToLower(filepath.Ext(s.draw)); s.draw != "" && !slices.Contains([]string{".png", ".jpg", ".jpeg"}, ext) {
		return &usageError{msg: fmt.Sprintf("--draw %s: it writes a .png or a .jpg", s.draw)}
	}
	if sameFile(s.draw, name) {
		return &usageError{msg: fmt.Sprintf("--draw %s would overwrite the picture: name another file", s.draw)}
	}
	cfg, err := s.place.load(t, nil)
	if err != nil {
		return err
	}
	picture, err := engine.ReadPicture(t.in, name, int64(cfg.Picture.MaxBytes))
	if err != nil {
		return err
	}
	e, err := engine.Open(ctx, cfg.Picture, 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	a := appliance.New(
		appliance.Deps{
			Decoder:      e.Decoder,
			PrintDecoder: e.PrintDecoder(),
			Readers:      e.Readers(),
			Queue:        appliance.NewQueue(1, 0),
			Now:          time.Now,
			Holders:      engine.HolderRules(),
			Patience:     cfg.Picture.MaxTime,
		},
	)
	id := appliance.NewGUID()
	read := func(e appliance.Endpoint) (appliance.ReadAnswer, error) {
		return a.Read(ctx, appliance.ReadRequest{Endpoint: e, RequestID: id, Image: picture, Page: s.page})
	}
	var answer appliance.ReadAnswer
	var failure error
	if endpoint == "" {
		endpoint, answer, failure = readUnnamed(read)
		if failure == nil {
			fmt.Fprintf(t.errs, "read as %s; --endpoint reads it as something else\n", shortName(endpoint))
		}
	} else {
		answer, failure = read(endpoint)
	}
	if failure != nil {
		return errors.Join(advised(failure), words.PrintJSON(t.out, httpapi.ErrorEnvelope(id, failure), s.compact))
	}
	envelope := httpapi.Envelope(httpapi.Answer{
		Endpoint: endpoint, RequestID: id, TransactionID: answer.TransactionID,
		Reading: answer.Reading, Evidence: s.evidence,
	})
	if err := words.PrintJSON(t.out, envelope, s.compact); err != nil {
		return err
	}
	t.tellOthers(answer.Documents)
	if s.draw == "" {
		return nil
	}
	decoded, err := e.PrintDecoder().DecodePage(ctx, picture, max(s.page, 1))
	if err != nil {
		return err
	}
	return drawing.Write(s.draw, decoded, answer.Reading)
}

// readUnnamed reads a picture whose kind nobody has named: as a passport, the most common one that can be in any picture,
// and then as what that reading found. The answer to a picture without a document is that of a card.
func readUnnamed(read func(appliance.Endpoint) (appliance.ReadAnswer, error)) (appliance.Endpoint, appliance.ReadAnswer, error) {
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

// shortName is an endpoint as people write it.
func shortName(e appliance.Endpoint) string { return strings.TrimPrefix(string(e), "ocr/") }

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
func (t *terminal) tellOthers(documents []appliance.Document) {
	for _, d := range documents {
		if e, ok := appliance.EndpointOf(d.Kind); ok && d.Flagged("", appliance.CodeOtherDocument) {
			fmt.Fprintf(t.errs, "hint: this is a %s: use --endpoint %s\n", d.Kind, shortName(e))
		}
	}
}

// sameFile reports whether two names lead to one file that is there, by whatever paths or links; - is standard input.
func sameFile(a, b string) bool {
	if b == "-" {
		b = os.Stdin.Name()
	}
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
