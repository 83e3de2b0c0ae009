package main

import (
	"context"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/inference/eval/fit"
)

func evalFitCommand() *cobra.Command {
	return leaf(&cobra.Command{
		Use: "fit DIR [DIR] [DIR] [DIR]", Short: "fit: learn the document engine's weights from pictures with truth",
		Long: `Learns the numbers that decide what the document engine answers from pictures whose content is known, and writes them:
which print belongs to which field, how sure a value is, and below which confidence it is flagged. Each DIR has pictures and a
truth.jsonl as the generator writes it: quad and fields of the document, and role, text and quad of each printed line. Pictures
that are to measure must not be among them.

The weights are fitted on all pictures. How sure values are is fitted on what each half of the pictures reads with the weights of
the other half. The same pictures and seed give the same numbers. With --doubt only how sure values are is fitted, on what the weights
of this program read. With --levels only where the letters of a line stand is, by what the network of base lines says of lines of these
pictures: the document engine tells it from the rows of a line, without that network.`,
	}, func(fs *flag.FlagSet) action {
		f := &fit.Fit{}
		fs.StringVar(&f.Out, "out", "calibration.json", "`FILE` to write")
		fs.Float64Var(&f.Budget, "budget", 0.04, "values are flagged where more than this share of those like them is wrong")
		fs.BoolVar(&f.Doubt, "doubt", false, "fit only how sure values are, and keep the other weights")
		fs.BoolVar(&f.Levels, "levels", false, "fit only where letters stand by the rows of lines, and keep all else")
		fs.Uint64Var(&f.Seed, "seed", 1, "of the order in which examples are learned from")
		fs.StringVar(&f.Add, "add", "", "add the numbers that the program lacks, in groups that begin with this `NAME`; its own stay as they are")
		return func(ctx context.Context, _ *terminal, dirs []string) error { return f.Run(ctx, dirs) }
	})
}
