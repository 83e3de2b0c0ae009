package measure

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/truth"
	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/daemon"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/console"
	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/inference/eval"
	"github.com/bawab/bawab/inference/eval/report"
)

func evalReportCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "report TRUTH", Short: "one page of all figures, to be filed",
		Long: `Reads the documents of TRUTH with the networks in use and writes one HTML page, in Arabic and English, that needs no other file
and no network: how often each field is exact, flagged, wrong and wrong in silence, with 95 % Wilson intervals; whether the
confidences are to be believed; speed; how that differs from the release's own figures; and what was measured with what.

TRUTH is a set of ` + "`bawab truth export`" + `, of which the half test is read, or a folder as for
` + "`bawab eval documents`" + `. Where it holds folders faces, liveness or
fraud, in the form of the eval commands of these names (fraud: spoof), the page has their
errors (FMR, FNMR, APCER, BPCER) and DET curves. The page holds no picture and no value.

With --pdf it is also printed by Chromium, where there is one, to the same name with .pdf.`,
	}, func(fs *flag.FlagSet) command.Action {
		var p command.Place
		p.Flags(fs)
		out := fs.String("out", "", "`FILE` to write, .html; required")
		language := fs.String("language", "both", "`LANGUAGE` of the page: ar, en or both")
		half := fs.String("half", "test", "`HALF` of a truth set: test or fit")
		set := fs.String("models", "", "`PACK` to measure instead of the networks in use")
		pdf := fs.Bool("pdf", false, "also print it as a PDF")
		asJSON := fs.Bool("json", false, "print the figures as JSON")
		return func(ctx context.Context, t *command.Terminal, args []string) error {
			switch {
			case filepath.Ext(*out) != ".html":
				return &command.UsageError{Msg: "--out needs the name of a file that ends in .html"}
			case !slices.Contains(report.Languages(), *language):
				return &command.UsageError{Msg: "--language needs ar, en or both"}
			case !slices.Contains(truth.Halves(), *half):
				return &command.UsageError{Msg: "--half needs test or fit"}
			}
			cfg, err := p.Load(t, nil)
			if err != nil {
				return err
			}
			m := report.Measurement{
				Call: eval.Call{Dir: args[0], Out: t.Out, Errs: t.Errs}, Half: *half, Program: t.Version, Rate: cfg.Face.Percent(),
				Engine: daemon.EngineOf(cfg, *set),
			}
			return writeReport(ctx, t, &m, reportPage{*out, *language, *pdf, *asJSON})
		}
	})
}

// reportPage is where the page of a measurement goes.
type reportPage struct {
	out, language string
	pdf, json     bool
}

func writeReport(ctx context.Context, t *command.Terminal, m *report.Measurement, page reportPage) (err error) {
	browser := ""
	if page.pdf { // what is missing is told before minutes of work
		if browser, err = report.Browser(); err != nil {
			return err
		}
	}
	dress := report.Dress{Words: map[string]map[string]string{}}
	if dress.Fonts, err = console.Fonts(); err != nil {
		return err
	}
	for _, l := range []string{"ar", "en"} {
		if dress.Words[l], err = console.Words(l); err != nil {
			return err
		}
	}
	figures, err := m.Run(ctx)
	if err != nil {
		return err
	}
	var text strings.Builder
	if err := report.Write(&text, figures, page.language, dress); err != nil {
		return err
	}
	if err := folder.Replace(page.out, []byte(text.String()), (*os.File).Sync); err != nil {
		return &appliance.Error{Op: "write report", Msg: err.Error(), Hint: "name a file in a folder that you may write to"}
	}
	said := io.Writer(t.Out)
	if page.json {
		if err := eval.PrintJSON(t.Out, figures); err != nil {
			return err
		}
		said = t.Errs
	}
	fmt.Fprintf(said, "report: %s\n", page.out)
	if browser == "" {
		return nil
	}
	pdf := strings.TrimSuffix(page.out, ".html") + ".pdf"
	if err := report.Print(ctx, browser, page.out, pdf); err != nil {
		return err
	}
	fmt.Fprintf(said, "report: %s\n", pdf)
	return nil
}
