package measure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/daemon"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/inference/scan"
)

// Scan is the command that reads one picture.
func Scan() *cobra.Command {
	c := command.Leaf(&cobra.Command{
		Use: "scan PICTURE", Short: "read one picture, without a daemon",
		Long: `Reads one picture and prints the answer that POST /v1/ocr/... would give. No daemon is needed and nothing is
kept. PICTURE is a JPEG, PNG, WebP, BMP or TIFF file or a scanned PDF, or - for standard input.

In a drawing a field, or a line of general text, is green where no code names it, amber where one does, which is printed beside it,
and red where it is empty or not readable.

Without --endpoint the kind is told from the picture, and standard error says which one it is. A document of another kind
than --endpoint says is read as far as both have the same fields (3308), and a hint on standard error names its endpoint.
A kind that the installed models, the pack of --models or the folder of --kinds bring is kinds/NAME; --explain says how such a
document was taken apart, for whoever describes the kind.
Exit code 1 when the answer holds an error, such as 3011: no document found.`,
	}, func(fs *flag.FlagSet) command.Action {
		var s scanning
		s.place.Flags(fs)
		fs.StringVar(
			&s.endpoint,
			"endpoint",
			"",
			"`WHAT` to read: passport, id/front, id/back, driving_license, multi, general ...; told from the picture, if left out",
		)
		modelsFlag(fs, &s.with, "in use")
		kindsFlag(fs, &s.with)
		calibrationFlag(fs, &s.with)
		fs.BoolVar(&s.explain, "explain", false, "print how the document was taken apart, instead of the answer; for --endpoint kinds/NAME")
		fs.IntVar(&s.page, "page", 1, "`PAGE` of a TIFF or PDF to read")
		fs.BoolVar(&s.compact, "json", false, "print the answer on one line, for programs")
		fs.BoolVar(&s.evidence, "evidence", false, "add Services.evidence: places, confidence and checks of each field")
		fs.StringVar(&s.draw, "draw", "", "also draw what was found on a copy of the picture and write that to `FILE` (.png or .jpg)")
		return func(ctx context.Context, t *command.Terminal, args []string) error { return s.run(ctx, t, args[0]) }
	})
	completeEndpoint(c, appliance.DocumentEndpoints())
	return c
}

// completeEndpoint lets the shell complete the values of --endpoint.
func completeEndpoint(c *cobra.Command, offered []appliance.Endpoint) {
	var names []cobra.Completion
	for _, e := range offered {
		names = append(names, scan.ShortName(e))
	}
	if err := c.RegisterFlagCompletionFunc("endpoint", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag is not declared
	}
}

// scanning is one call of the command.
type scanning struct {
	place    command.Place
	with     daemon.Choice
	endpoint string
	explain  bool
	compact  bool
	evidence bool
	draw     string
	page     int
}

// parseEndpoint takes one of the endpoints that a command offers as people write it: passport, ocr/passport or /v1/ocr/passport.
func parseEndpoint(s string, offered []appliance.Endpoint) (appliance.Endpoint, error) {
	e := endpointNamed(s)
	if slices.Contains(offered, e) {
		return e, nil
	}
	var names, kinds []string
	for _, e := range offered {
		if names = append(names, scan.ShortName(e)); isKind(e) {
			kinds = append(kinds, scan.ShortName(e))
		}
	}
	msg := fmt.Sprintf("there is no endpoint %q: choose %s", s, strings.Join(names, ", "))
	switch {
	case isKind(e) && len(kinds) == 0:
		msg = fmt.Sprintf("no kind is named %q, nor any other: name a folder with --kinds, or a pack with --models, that brings it", e.Kind())
	case isKind(e):
		msg = fmt.Sprintf("no kind is named %q: choose %s; a kind is named by its description.txt, not by its folder",
			e.Kind(), strings.Join(kinds, ", "))
	}
	return "", &command.UsageError{Msg: msg}
}

// isKind reports whether an endpoint is that of a kind of a model pack.
func isKind(e appliance.Endpoint) bool {
	return strings.HasPrefix(string(e), string(appliance.KindEndpoint("")))
}

// endpointNamed is the endpoint of a name as people write it, whether there is one or not.
func endpointNamed(s string) appliance.Endpoint {
	s = strings.TrimPrefix(strings.TrimPrefix(s, "/"), "v1/")
	return appliance.Endpoint("ocr/" + strings.TrimPrefix(s, "ocr/"))
}

// run prints the envelope, also one that holds a failure, and returns that failure.
func (s *scanning) run(ctx context.Context, t *command.Terminal, name string) (err error) {
	if err := s.check(name); err != nil {
		return err
	}
	cfg, err := s.place.Load(t, nil)
	if err != nil {
		return err
	}
	picture, err := engine.ReadPicture(t.In, name, int64(cfg.Picture.MaxBytes))
	if err != nil {
		return err
	}
	set, err := s.with.InUse(cfg, t.Errs)
	if err != nil {
		return err
	}
	e, err := engine.OpenSet(ctx, set, cfg.Picture, 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	c := scan.Call{
		Engine: e, Limits: cfg.Picture, Picture: picture, Page: max(s.page, 1), Compact: s.compact, Evidence: s.evidence, Draw: s.draw,
		Out: t.Out, Errs: t.Errs,
	}
	if s.endpoint != "" {
		if c.Endpoint, err = parseEndpoint(s.endpoint, scan.Offered(e)); err != nil {
			return err
		}
	}
	if s.explain {
		return c.Explain(ctx)
	}
	return c.Answer(ctx)
}

// check finds what is wrong with a call before any work.
func (s *scanning) check(name string) error {
	kinds := isKind(endpointNamed(s.endpoint))
	if s.endpoint != "" && !kinds {
		if _, err := parseEndpoint(s.endpoint, appliance.DocumentEndpoints()); err != nil {
			return err
		}
	}
	if s.explain && (s.endpoint != "" && !kinds || s.draw != "" || s.evidence || s.compact) {
		return &command.UsageError{Msg: "--explain is for --endpoint kinds/NAME, and prints no answer"}
	}
	if ext := strings.ToLower(filepath.Ext(s.draw)); s.draw != "" && !slices.Contains([]string{".png", ".jpg", ".jpeg"}, ext) {
		return &command.UsageError{Msg: fmt.Sprintf("--draw %s: it writes a .png or a .jpg", s.draw)}
	}
	if sameFile(s.draw, name) {
		return &command.UsageError{Msg: fmt.Sprintf("--draw %s would overwrite the picture: name another file", s.draw)}
	}
	return nil
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
