// Package measure holds the commands that read pictures without a daemon, and those that measure how well and how fast that is done.
package measure

import (
	"context"
	"slices"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/daemon"
	"github.com/bawab/bawab/inference/eval"
	"github.com/bawab/bawab/inference/eval/document"
	"github.com/bawab/bawab/inference/eval/person"
	"github.com/bawab/bawab/inference/injection"
)

// Eval is the group of commands that measure how well pictures are read.
func Eval() *cobra.Command {
	return command.Group(&cobra.Command{
		Use: "eval", Short: "measure how well pictures with known content are read",
		Long: `Measures the quality of the readers on pictures whose content is known. What cannot be read, as a file that is not there, is
named on standard error and never counts as right; then the figures are printed all the same, and the exit code is 1.`,
	},
		evalMRZCommand(),
		evalDocumentsCommand(),
		evalLinesCommand(),
		evalPagesCommand(),
		evalPlatesCommand(),
		evalSpoofCommand(),
		evalFacesCommand(),
		evalLivenessCommand(),
		evalReportCommand(),
		evalFitCommand(),
	)
}

// evaluate declares the flags that all eval commands have, and returns the action that run carries out.
func evaluate(fs *flag.FlagSet, v *eval.Call, run func(context.Context) error) command.Action {
	return evaluateWith(fs, v, &daemon.Choice{}, run)
}

// evaluateWith is evaluate for a command that may choose more than the networks.
func evaluateWith(fs *flag.FlagSet, v *eval.Call, with *daemon.Choice, run func(context.Context) error) command.Action {
	var p command.Place
	p.Flags(fs)
	fs.StringVar(&v.Compare, "compare", "", "`FILE` of an earlier --json to compare with")
	fs.BoolVar(&v.JSON, "json", false, "print the figures as JSON")
	fs.BoolVar(&v.Verbose, "verbose", false, "list every picture that is not exact")
	modelsFlag(fs, with, "in the program")
	return func(ctx context.Context, t *command.Terminal, args []string) error {
		v.Dir, v.Out, v.Errs = args[0], t.Out, t.Errs
		v.Load = func() (*configs.Config, error) { return p.Load(t, nil) }
		v.Open = with.Opener(v.Load)
		return run(ctx)
	}
}

// truthFlag declares the flag of the commands that read a truth.
func truthFlag(fs *flag.FlagSet, v *eval.Call) {
	fs.StringVar(&v.Truth, "truth", "", "`FILE` with the truth instead of DIR/truth.jsonl")
}

// tesseractFlag declares the flag of the commands that can read with another program beside.
func tesseractFlag(fs *flag.FlagSet, v *document.Texts) {
	fs.BoolVar(&v.Tesseract, "tesseract", false, "let Tesseract read the same pictures")
}

func evalMRZCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "mrz DIR", Short: "machine readable zones: exact lines, characters, fields",
		Long: `Reads every picture of DIR and compares it with DIR/truth.jsonl, which has one object a line:

  {"file": "a.jpg", "mrz": ["P<UTO...", "L898..."], "fields": {"document_number": "L898902C3", "surname": "ERIKSSON",
   "given_names": "ANNA MARIA", "nationality": "UTO", "sex": "F", "date_of_birth": "1974-08-12", "date_of_expiry": "2012-04-15"}}

"lines" is another name for "mrz". Fields that are left out follow from the lines. A passport number
counts as wrong and unflagged when it differs from the truth, is not empty, and no validation error names it. Shares come with
their 95 % Wilson interval.`,
	}, func(fs *flag.FlagSet) command.Action {
		v := &document.Zones{}
		truthFlag(fs, &v.Call)
		return evaluate(fs, &v.Call, v.Run)
	})
}

func evalDocumentsCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "documents DIR", Short: "documents: kind, fields, the national number and how sure it is",
		Long: `Reads every picture of DIR and compares it with DIR/truth.jsonl, which has one object a line:

  {"file": "a.jpg", "documents": [{"kind": "national_id_front", "quad": [[10,20],[900,30],[890,600],[5,590]],
   "fields": {"idNumber": "20001010100014", "first_name": "..."}, "covered": ["dateOfBirth"]}]}

A document alone is read through the endpoint of its kind. Several documents, the largest first, are read through ocr/multi
and counted each by its kind; a result is a document when the overlap of the two, intersection over union, is above a half.
A value is another document's when it holds a true value of it of six characters or more that none of its own does.
Fields are compared as the API gives them; "" is
a blank field. Fields under "covered" (also beside "documents") cannot be read: they are right when they are empty or
flagged, and count in no other figure but those of wrong and unflagged values. A picture without documents is right when it
is answered 3011. An answer is honest when each of its values is right or flagged. Pictures with a "case", such as
"mirrored", are counted by it instead of by kind. Of a kind that no reader is for, the kind alone counts. A kind that the pack of --models
or the folder of --kinds brings is read through its own endpoint.

A value is wrong and unflagged when it differs from the truth, is not empty, and no code of doubt names it: 3010, 3305, 3306
and 3308 are none. Shares come with their 95 % Wilson interval, the wrong and unflagged numbers with the one-sided 95 %
Clopper-Pearson bound. Times are those of a machine with all cores busy.`,
	}, func(fs *flag.FlagSet) command.Action {
		v := &document.Documents{}
		fs.StringVar(&v.Dump, "dump", "", "also write every field with truth, confidence and codes to `FILE` as CSV")
		truthFlag(fs, &v.Call)
		with := &daemon.Choice{}
		kindsFlag(fs, with)
		calibrationFlag(fs, with)
		return evaluateWith(fs, &v.Call, with, v.Run)
	})
}

func evalLinesCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "lines DIR", Short: "pictures of one line each: character error rate, exact lines",
		Long: `Reads every NAME.png of DIR and of the folders in it that has a NAME.gt.txt beside it with the printed text, as the general
endpoint would, with a white frame about it.

` + textRules,
	}, func(fs *flag.FlagSet) command.Action {
		v := document.NewLines()
		tesseractFlag(fs, v)
		return evaluate(fs, &v.Call, v.Run)
	})
}

func evalPagesCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "pages DIR", Short: "pages: character error rate in reading order, lines found",
		Long: `Reads every picture of DIR as the general endpoint would and compares it with DIR/truth.jsonl, which has one object a line:

  {"file": "a.jpg", "lines": [{"text": "the first line"}, {"text": "the second line"}]}

with the lines in reading order. A line counts as found when a line of the answer differs from it in at most half of its
characters.

` + textRules,
	}, func(fs *flag.FlagSet) command.Action {
		v := document.NewPages()
		truthFlag(fs, &v.Call)
		tesseractFlag(fs, v)
		return evaluate(fs, &v.Call, v.Run)
	})
}

func evalPlatesCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "plates DIR", Short: "licence plates: whole plates, digits, letters, and how sure they are",
		Long: `Reads every picture of DIR and compares it with DIR/truth.jsonl, which has one object a line:

  {"file": "a.jpg", "result": "س ن ب 1234", "quad": [[10,20],[900,30],[890,460],[5,450]]}

The largest plate is read as ocr/license_plate does; with --outline what lies within "quad", the corners of the upright
plate in pixels of the picture, is read, and pictures without it are left out. "result" is "" where there is no plate of
Egypt's: such a picture is right when nothing is read, or what is read is flagged. Of the others, a plate is empty when nothing
was read, and wrong and unflagged when it differs from the truth and no code marks it as doubtful. Shares come with their 95 %
Wilson interval. Times are those of a machine with all cores busy.`,
	}, func(fs *flag.FlagSet) command.Action {
		v := &document.Plates{}
		fs.BoolVar(&v.Outline, "outline", false, "read within the outlines of the truth")
		fs.StringVar(&v.Dump, "dump", "", "also write every plate with truth, confidence and codes to `FILE` as CSV")
		truthFlag(fs, &v.Call)
		return evaluate(fs, &v.Call, v.Run)
	})
}

func evalSpoofCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "spoof DIR", Short: "document fraud: how often attacks pass and genuine documents are refused",
		Long: `Reads and examines every picture of DIR and compares the verdict with DIR/truth.jsonl, which has one object a line:

  {"file": "a.jpg", "kind": "national_id_front", "attack": "screen_replay/phone"}

"attack" is "" or missing for a genuine document, else the name of the cue that should be raised: screen_replay,
printed_copy, grey_copy, portrait_replaced, text_altered, mrz_visual_mismatch or number_inconsistent, with a variant after a slash
where there are several. "kind" chooses the endpoint; other members are ignored.

As in ISO/IEC 30107-3: APCER is the share of attacks of one kind that no cue was raised for, BPCER the share of genuine
documents that one was raised for, both of the pictures in which a document was found; APNRR and BPNRR are the shares in
which none was. Shares come with their 95 % Wilson interval. For each cue the area under its curve (AUC) and the equal error
rate (EER) say how its score parts its own attacks from genuine documents; "recapture" is the larger of screen_replay
and printed_copy against the attacks of both. Times are those of a machine with all cores busy.`,
	}, func(fs *flag.FlagSet) command.Action {
		v := &document.Cues{}
		fs.StringVar(&v.Dump, "dump", "", "also write every cue with its score and measures to `FILE` as CSV, to calibrate by")
		truthFlag(fs, &v.Call)
		return evaluate(fs, &v.Call, v.Run)
	})
}

func evalFacesCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "faces DIR", Short: "face match: how often persons match themselves and others",
		Long: `Compares the pairs of pictures that DIR/pairs.csv lists, with the header a,b,same: two files below DIR, and 1 for one person or 0
for two. A further column kind names the document that picture a shows, as national_id_front; then its portrait is compared with b, and
otherwise the one face of a.

Every picture goes the way of a request, from its bytes to the embedding. A picture that a face match would refuse (4206, 4207,
4208, 4209) is a failure to acquire, and its pairs do not match: of one person a miss, of two none. Pairs of a file that cannot be
read do not count. Rates come with their 95 % Wilson interval. FMR is the share of pairs of two
persons that match, TAR that of pairs of one person (FNMR is the rest). TAR at a
rate takes its threshold from the pairs of two persons of this set; the fixed threshold is that of face.fmr. With --cross every two
pictures in different folders also count as a pair of two persons, which gives low rates a base.`,
	}, func(fs *flag.FlagSet) command.Action {
		v := &person.Faces{}
		fs.BoolVar(&v.Cross, "cross", false, "also compare all pictures of different folders")
		fs.StringVar(&v.Dump, "dump", "", "also write the cosine of every pair to `FILE` as CSV, to calibrate by")
		return evaluate(fs, &v.Call, v.Run)
	})
}

func evalLivenessCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "liveness DIR", Short: "liveness: how often attacks pass and living persons are refused",
		Long: `Judges bursts of three frames. DIR/live holds those of living persons, every other folder of DIR those of one kind of attack, by
its name. Below them, each folder with pictures holds one burst or more: every three pictures, in the order of their names with
numbers counted as numbers, are a burst.

As in ISO/IEC 30107-3: APCER is the share of bursts of one kind of attack that are judged live, BPCER the share of living persons'
bursts that are not, with their 95 % Wilson intervals. Under BPCER stands how often each reason was named; under a kind, how often it
was judged by each. A burst with a picture that cannot be decoded counts as failed. A binary without the network for attacks judges by
the rules alone and says so. The rule of the gap is not measured: the files have no times.

With --rule, bursts that break a rule are made out of those of DIR/live instead, and it is counted for how many of them the rule is
named. identical_images: two or three frames are one picture, which is coded anew at a quality from 40 to 95 and cropped by up to 5 % a
side, resized to 0.6 to 1.5 and relit, each with an even chance. different_persons: one frame is of another person, whom a
folder names up to the first hyphen. The same --seed makes the same bursts.

With --injection, triples of injected media are made out of the stills of DIR/live, as somebody makes them who has a picture of a person
and no person: --cases of each family that is named, or of "all" of them, of those that the cues were "developed" on, or of those
that they have not seen ("unseen"). Each family is told as a kind of attack. The families:
` + injection.Described(),
	}, func(fs *flag.FlagSet) command.Action {
		v := &person.Liveness{}
		var rule, families string
		fs.StringVar(&v.Dump, "dump", "", "also write every burst with its reasons and cues to `FILE` as CSV")
		fs.IntVar(&v.Every, "every", 1, "judge only each `N`-th burst of a folder")
		fs.StringVar(&rule, "rule", "", "measure one `REASON` on bursts made to break it: identical_images or different_persons")
		fs.IntVar(&v.Cases, "cases", 1000, "`NUMBER` of bursts to make with --rule")
		fs.Uint64Var(&v.Seed, "seed", 1, "`NUMBER` from which the bursts of --rule and --injection are drawn")
		fs.StringVar(&families, "injection", "", "make injected media of these `FAMILIES`, parted by commas, and judge them")
		fs.StringVar(&v.Keep, "keep", "", "also write the triples of --injection to `FOLDER`")
		return evaluate(fs, &v.Call, func(ctx context.Context) error {
			if v.Every < 1 {
				return &command.UsageError{Msg: "--every needs a number from 1 on"}
			}
			v.Rule = appliance.Reason(rule)
			switch {
			case rule != "" && !slices.Contains(person.Rules(), v.Rule):
				return &command.UsageError{Msg: "--rule needs identical_images or different_persons"}
			case rule == "" && families != "":
				var err error
				if v.Families, err = person.Families(families); err != nil {
					return &command.UsageError{Msg: err.Error()}
				}
			}
			return v.Run(ctx)
		})
	})
}

// The figures of both commands compare texts alike.
const textRules = `Texts are compared composed (a hamza belongs to its letter, however the truth encodes it), without diacritics
and tatweel, with digits by value, quotation marks and dashes as one kind each, and single spaces. The character error rate
is the edit distance of all texts divided by the length of the truth; its 95 % interval is bootstrapped over the pictures.
With --tesseract, the program of that name reads the same pictures in one thread beside, with its models ara or, for pages,
ara+eng.`

// modelsFlag declares the flag of a pack; instead says of which networks it takes the place.
func modelsFlag(fs *flag.FlagSet, c *daemon.Choice, instead string) {
	fs.StringVar(&c.Pack, "models", "", "`PACK` to read with instead of the networks "+instead)
}

// kindsFlag declares the flag of kinds.
func kindsFlag(fs *flag.FlagSet, c *daemon.Choice) {
	fs.StringVar(&c.Kinds, "kinds", "", "`FOLDER` of kinds of documents to read as well, each a folder in it, in the place of the pack's")
}

// calibrationFlag declares the flag of a calibration.
func calibrationFlag(fs *flag.FlagSet, c *daemon.Choice) {
	fs.StringVar(&c.Calibration, "calibration", "", "`FILE` that 'bawab eval fit' wrote, to read by in the place of the pack's calibration")
}
