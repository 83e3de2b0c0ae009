package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/bawab/bawab/appliance/daemon"
	"github.com/bawab/bawab/appliance/lookalike"
	"github.com/bawab/bawab/appliance/truth"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/inference/engine"
)

func truthDraftCommand() *cobra.Command {
	return leaf(&cobra.Command{
		Use: "draft DIR", Short: "begin descriptions of cards that look alike",
		Long: `Reads the documents that wait for review as of no known kind, and puts those together that look alike. For each card
of which at least ` + strconv.Itoa(lookalike.LeastCards) + ` different ones were seen it writes the begin of a description into DIR: a
folder with description.txt and labels.txt, which an integrator finishes. Nothing of a person stands in it, and a folder
that is there already is left as it is. It works while the daemon runs, and is an entry of the journal.`,
	}, func(fs *flag.FlagSet) action {
		var p place
		p.flags(fs)
		return func(ctx context.Context, t *terminal, args []string) error { return draftCards(ctx, t, p, args[0]) }
	})
}

// draftCards carries out the command draft.
func draftCards(ctx context.Context, t *terminal, p place, dir string) error {
	cfg, err := p.load(t, nil)
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
	err = noteAct(ctx, t, cfg, seen) // before anything is looked at
	var groups []lookalike.Group
	if err == nil {
		find := func(from truth.Source) (err error) { groups, err = cardsAlike(ctx, e, from); return err }
		err = administer(ctx, t, p,
			func(c *httpapi.Client) error { return find(c) }, func(s daemon.NotedStore) error { return find(s) })
	}
	if err := errors.Join(err, e.Close()); err != nil {
		return err
	}
	if len(groups) == 0 {
		_, err := fmt.Fprintln(t.out, "no cards look alike")
		return err
	}
	for i := range groups {
		if err := writeDraft(t, &groups[i], dir); err != nil {
			return err
		}
	}
	return nil
}

// cardsAlike reads the unknown documents that wait and puts those together that look alike.
func cardsAlike(ctx context.Context, e *engine.Engine, from truth.Source) ([]lookalike.Group, error) {
	reviews, err := from.Reviews(ctx)
	if err != nil {
		return nil, err
	}
	general := e.Readers()[appliance.EndpointGeneral]
	var cards []lookalike.Card
	for _, id := range lookalike.Candidates(reviews) {
		r, lines, err := printOf(ctx, e, general, from, id)
		if lookalike.NoCard(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if c, ok := lookalike.CardOf(&r, lines); ok {
			cards = append(cards, c)
		}
	}
	return lookalike.Groups(cards), nil
}

// printOf reads the print on the picture of one review.
func printOf(
	ctx context.Context, e *engine.Engine, general appliance.Reader, from truth.Source, id string,
) (r appliance.Review, lines []appliance.Line, err error) {
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

// writeDraft writes the draft of a group into a folder of its own, and says where.
func writeDraft(t *terminal, g *lookalike.Group, dir string) error {
	alike := words.Count(len(g.Reviews), "card looks", "cards look") + " alike"
	d, ok := g.Draft()
	if !ok {
		_, err := fmt.Fprintf(t.out, "%s: nothing may be told of fewer than %d different ones\n", alike, lookalike.LeastCards)
		return err
	}
	into := filepath.Join(dir, d.Kind)
	if _, err := os.Lstat(into); !errors.Is(err, fs.ErrNotExist) {
		_, err := fmt.Fprintf(t.out, "%s: %s is there already and is left as it is\n", alike, into)
		return err
	}
	err := os.MkdirAll(into, 0o700)
	for name, text := range map[string]string{"description.txt": d.Description, "labels.txt": d.Labels} {
		if err == nil {
			err = folder.Replace(filepath.Join(into, name), []byte(text), (*os.File).Sync)
		}
	}
	if err != nil {
		return &appliance.Error{
			Op: "write draft", Msg: err.Error(), Hint: "name a folder that you may write to, on a disk with room",
			Err: errors.Join(err, os.RemoveAll(into)),
		}
	}
	_, err = fmt.Fprintf(t.out, "%s: %s\n  %s\n", alike, into, strings.Join(g.Words, " | "))
	return err
}
