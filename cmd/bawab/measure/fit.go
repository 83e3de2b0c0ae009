package measure

import (
	"context"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/inference/eval/fit"
)

func evalFitCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "fit DIR [DIR]...", Short: "fit: learn the document engine's weights from pictures with truth",
		Long: `Learns the numbers that decide what the document engine answers from pictures whose content is known, and writes them:
which print belongs to which field, how sure a value is, and below which confidence it is flagged. Each DIR has pictures and a
truth.jsonl as the generator writes it: quad and fields of the document, and role, text and quad of each printed line. Pictures
that are to measure must not be among them.

The weights are fitted on all pictures. How sure values are is fitted on what each half of the pictures reads with the weights of
the other half. The same pictures and seed give the same numbers. With --doubt only how sure values are is fitted, on what the weights
of this program read. With --anew only that is fitted which further cuts say of a value that one look leaves in doubt, and the limits. With
--levels only where the letters of a line stand is, by what the network of base lines says of lines of these pictures: the document engine
tells it from the rows of a line, without that network.

Numbers about which the pictures say nothing stay as they are in the program, so that a model pack can bring the file: models pack
--calibration.

With --judged nothing is learned: the numbers that people judged, such as how wide a blank parts two columns, are tried at 0.7 and 1.4
times their values. How many right values each wins and loses, and how many wrong ones without a flag, is printed and written beside
the numbers. A number changes only where one half of the documents chooses its neighbour and the other half bears it out by more than
chance. A few dozen documents of each kind are enough, and take some five seconds each; --most takes as many of each DIR.`,
	}, func(fs *flag.FlagSet) command.Action {
		f := &fit.Fit{}
		fs.StringVar(&f.Out, "out", "calibration.json", "`FILE` to write")
		fs.Float64Var(&f.Budget, "budget", 0.04, "values are flagged where more than this share of those like them is wrong")
		fs.BoolVar(&f.Doubt, "doubt", false, "fit only how sure values are, and keep the other weights")
		fs.BoolVar(&f.Anew, "anew", false, "fit only what further cuts of print in doubt say of its value, and the limits, and keep all else")
		fs.BoolVar(&f.Levels, "levels", false, "fit only where letters stand by the rows of lines, and keep all else")
		fs.BoolVar(&f.Judged, "judged", false, "try the numbers that people judged at values about those in use, and print what comes of it")
		fs.IntVar(&f.Most, "most", 0, "look at so many documents of each DIR; 0 is all")
		fs.Uint64Var(&f.Seed, "seed", 1, "of the order in which examples are learned from")
		fs.StringVar(&f.Add, "add", "", "add the numbers that the program lacks, in groups that begin with this `NAME`; its own stay as they are")
		return func(ctx context.Context, t *command.Terminal, dirs []string) error {
			f.Report = t.Out
			return f.Run(ctx, dirs)
		}
	})
}
