package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/review"
	"github.com/bawab/bawab/appliance/truth"
	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/daemon"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/inference/learn"
	"github.com/bawab/bawab/models"
	"github.com/bawab/bawab/models/pack"
)

// flaggedCard reads the drawn ID of which a line of the name is right and flagged, with the networks in use.
func flaggedCard(t *testing.T, cfg *configs.Config) (picture []byte, d appliance.Document) {
	t.Helper()
	return readCard(t, cfg, cardFile)
}

// readCard reads a drawn ID with the networks in use.
func readCard(t *testing.T, cfg *configs.Config, file string) (picture []byte, d appliance.Document) {
	t.Helper()
	picture, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	e, err := daemon.EngineOf(cfg, "")(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	p, err := e.Decoder.Decode(t.Context(), picture)
	if err != nil {
		t.Fatal(err)
	}
	reading, err := e.Readers()[appliance.EndpointIDFront].Read(t.Context(), p, nil)
	if err != nil || len(reading.Documents) != 1 {
		t.Fatalf("%d documents, %v", len(reading.Documents), err)
	}
	return picture, reading.Documents[0]
}

// confirmedCard is a card that people confirmed as it was read. Its number cannot be read, so that each time it is of a person of his
// own.
type confirmedCard struct {
	picture  []byte
	document appliance.Document
	release  string // that read it
}

// keep puts what one person decided about a picture of the card into a queue.
func (c confirmedCard) keep(t *testing.T, reviews review.Store, at time.Time, by string) {
	t.Helper()
	r := review.Review{
		ID: appliance.NewGUID(), Transaction: appliance.NewGUID(), Kind: c.document.Kind, Document: &c.document, Pictures: 1, Flagged: true,
		At: at, Expires: at.Add(review.MostKept), Versions: map[string]string{"bawab": c.release},
	}
	if err := reviews.KeepReview(t.Context(), r, [][]byte{c.picture}); err != nil {
		t.Fatal(err)
	}
	decision := review.Decision{By: by, At: at, Verdict: review.Corrected, Unreadable: []string{"idNumber"}}
	if _, err := reviews.DecideReview(t.Context(), r.ID, decision); err != nil {
		t.Fatal(err)
	}
}

// reviewedSite exports a set of one card that two clerks confirmed on many days.
func reviewedSite(t *testing.T, dir string, picture []byte, d appliance.Document, days int) {
	t.Helper()
	reviews, card := appliancetest.NewReviews(), confirmedCard{picture, d, "0.9 of last year"}
	for day := range days {
		card.keep(t, reviews, time.Date(2027, 3, 1+day, 9, 0, 0, 0, time.UTC), []string{"mona", "samir"}[day/2%2])
	}
	if _, err := truth.Export(t.Context(), reviews, dir, 1, time.UTC, func(context.Context, int) error { return nil }); err != nil {
		t.Fatal(err)
	}
}

// stopsAt cancels a context when so many lines of progress were written; it counts them.
type stopsAt struct {
	after, lines int
	stop         context.CancelFunc
}

func (s *stopsAt) Write(b []byte) (int, error) {
	if s.lines++; s.lines == s.after {
		s.stop()
	}
	return len(b), nil
}

// learnStopped learns from a set on a disk that is full at first, is stopped behind each step and called again, and returns the result. No
// picture that was read is read again: the four readings of half a set take one line of progress each.
func learnStopped(t *testing.T, l *learn.Learning, disk string, small bool) learn.Result {
	t.Helper()
	if filler := filepath.Join(disk, "filler"); small {
		appliancetest.Fill(t, filler)
		if _, err := l.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "its disk is full") {
			t.Errorf("on a full disk: %v", err)
		}
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
	}
	lines := 0
	for {
		ctx, stop := context.WithCancel(t.Context())
		progress := &stopsAt{1, 0, stop}
		l.Errs = progress
		r, err := l.Run(ctx)
		lines += progress.lines
		stop()
		if errors.Is(err, context.Canceled) && progress.lines == 1 && lines <= 4 {
			continue
		}
		if err != nil || lines != 4 {
			t.Fatalf("after %d lines of progress, want 4: %v", lines, err)
		}
		return r
	}
}

// Learning outlives a full disk and a stop behind each step, and says that another release had read the set; a pack of it that was changed
// is refused.
func TestLearnStopped(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 160 pictures")
	}
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg := &configs.Config{Data: t.TempDir()}
	cfg.Picture = configs.Picture{MaxBytes: 8 << 20, MaxPixels: 25_000_000, MinSide: 64}
	cfg.Models.VendorKey = base64.StdEncoding.EncodeToString(public)
	picture, before := flaggedCard(t, cfg)
	if !before.Flagged(cardDoubt, appliance.CodeLowConfidence) {
		t.Fatalf("nothing to learn: %v", before.Validations)
	}
	disk, noDisk := appliancetest.SmallDisk(t, "32m")
	if noDisk != nil {
		t.Log("without a full disk: ", noDisk)
		disk = t.TempDir()
	}
	dir := filepath.Join(disk, "set")
	reviewedSite(t, dir, picture, before, 40)
	l := learn.Learning{Dir: dir, Program: version, WrongSilent: 0.05, BPCER: 0.02, Fewest: 20}
	if l.Set, err = daemon.SetToMeasure(cfg, ""); err != nil {
		t.Fatal(err)
	}
	l.Open = func(ctx context.Context, set *models.Set) (*engine.Engine, error) {
		return engine.OpenSet(ctx, set, cfg.Picture, 0)
	}
	r := learnStopped(t, &l, disk, noDisk == nil)
	told := func(said string) bool { return strings.Contains(said, "from readings of 0.9 of last year") }
	if !r.Better || !slices.ContainsFunc(r.Said, told) {
		t.Fatalf("better %v, %s, %q", r.Better, r.Why, r.Said)
	}
	files := t.TempDir()
	var b bytes.Buffer
	if err := l.Files(&r, files); err != nil {
		t.Fatal(err)
	}
	if _, err := pack.Write(&b, os.DirFS(files), private); err != nil {
		t.Fatal(err)
	}
	shelf, _, err := daemon.Shelf(cfg)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace(b.Bytes(), []byte(`"below":`), []byte(`"belov":`), 1)
	if _, _, err := shelf.Stage(bytes.NewReader(changed)); err == nil || bytes.Equal(changed, b.Bytes()) {
		t.Errorf("a changed pack: %v", err)
	}
}

// makeSiteKey writes a key that packs are signed with into a file, and returns what verifies it.
func makeSiteKey(t *testing.T, file string) ed25519.PublicKey {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return public
}

// Bad calls are told before anything is read: no key, another kind of key, a share that is none, no set, too few documents.
func TestLearnRefuses(t *testing.T) {
	dir := t.TempDir()
	key, set := filepath.Join(dir, "key.pem"), filepath.Join(dir, "set")
	makeSiteKey(t, key)
	if err := os.Mkdir(set, 0o700); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"--out and --key are missing": {set},
		"needs a share such as":       {set, "--out", "a.tar", "--key", key, "--bpcer", "2"},
		"read vendor key":             {set, "--out", "a.tar", "--key", set},
		"no such file":                {filepath.Join(dir, "none"), "--out", "a.tar", "--key", key},
		"has 0 documents":             {set, "--out", "a.tar", "--key", key},
	} {
		var out, errs strings.Builder
		term := &command.Terminal{In: strings.NewReader(""), Out: &out, Errs: &errs, Environ: os.Environ()}
		if term.Report(run(t.Context(), term, append([]string{"learn", "--data", t.TempDir()}, args...))) == command.ExitDone ||
			!strings.Contains(errs.String(), want) {
			t.Errorf("%v: %s", args, errs.String())
		}
	}
}
