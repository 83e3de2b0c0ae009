package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/bawab/bawab/appliance/httpapi/control"
	"github.com/bawab/bawab/appliance/lookalike"
	"github.com/bawab/bawab/appliance/review"
	"github.com/bawab/bawab/appliance/truth"
	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/cmd/bawab/reach"
	"github.com/bawab/bawab/daemon"
	"github.com/bawab/bawab/store/noted"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/engine"
)

func truthDraftCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "draft DIR", Short: "begin descriptions of cards that look alike",
		Long: `Reads the documents that wait for review as of no known kind, and puts those together that look alike. For each card
of which at least ` + strconv.Itoa(lookalike.LeastCards) + ` different ones were seen it writes the begin of a description into DIR: a
folder with description.txt and labels.txt, which an integrator finishes. Nothing of a person stands in it, and a folder
that is there already is left as it is. It works while the daemon runs, and is an entry of the journal.`,
	}, func(fs *flag.FlagSet) command.Action {
		var p command.Place
		p.Flags(fs)
		return func(ctx context.Context, t *command.Terminal, args []string) error {
			return draftCards(ctx, t, p, args[0])
		}
	})
}

// draftCards carries out the command draft.
func draftCards(ctx context.Context, t *command.Terminal, p command.Place, dir string) error {
	cfg, err := p.Load(t, nil)
	if err != nil {
		return err
	}
	e, err := daemon.EngineOf(cfg, "")(ctx)
	if err != nil {
		return err
	}
	seen := appliance.Entry{
		Kind: appliance.EntryReviewSeen, Subject: string(appliance.Unknown), Detail: map[string]string{"part": "draft", "by": "command"},
	}
	err = reach.Note(ctx, t, cfg, seen) // before anything is looked at
	var groups []lookalike.Group
	if err == nil {
		find := func(from truth.Source) error {
			reviews, err := from.Reviews(ctx)
			if err == nil {
				groups, err = printReader(e, from).Groups(ctx, reviews)
			}
			return err
		}
		err = reach.Administer(ctx, t, p,
			func(c *control.Client) error { return find(c) }, func(s noted.Store) error { return find(s) })
	}
	if err := errors.Join(err, e.Close()); err != nil {
		return err
	}
	if len(groups) == 0 {
		_, err := fmt.Fprintln(t.Out, "no cards look alike")
		return err
	}
	return lookalike.WriteDrafts(t.Out, groups, dir)
}

// printReader reads the text on the first picture of a review with the reader of general text.
func printReader(e *engine.Engine, from truth.Source) lookalike.Reader {
	general := e.Readers()[appliance.EndpointGeneral]
	return func(ctx context.Context, id string) (r review.Review, lines []appliance.Line, err error) {
		r, pictures, err := from.ReviewPictures(ctx, id)
		if err != nil || len(pictures) == 0 {
			return r, nil, err
		}
		p, err := e.PrintDecoder().DecodePage(ctx, pictures[0], max(r.Page, 1))
		if err != nil {
			return r, nil, err
		}
		reading, err := general.Read(ctx, p, nil)
		return r, reading.Lines, err
	}
}
