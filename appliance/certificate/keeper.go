package certificate

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/bawab/bawab/appliance"
)

// Keeper holds the certificate that is shown now. It is safe for concurrent use.
type Keeper struct {
	journal appliance.Journal
	log     *slog.Logger
	now     func() time.Time

	current atomic.Pointer[shown]

	mu  sync.Mutex // guards what follows, and loading
	cfg Config
	// seen are the files as they were when they were last looked at.
	seen [2]stamp
	// problem is why the files as they are now are not shown.
	problem error
}

// shown is a certificate in use.
type shown struct {
	pair *tls.Certificate
	info Info
}

// stamp tells one state of a file from another.
type stamp struct {
	inode    uint64
	size     int64
	modified time.Time
}

// New makes a keeper; Open does the work. The journal is told which certificate is shown. Now is the clock.
func New(c Config, journal appliance.Journal, log *slog.Logger, now func() time.Time) *Keeper {
	return &Keeper{cfg: c, journal: journal, log: log, now: now}
}

// Open loads the certificate. Without a brought one it makes the own one at the first start, and again when it has
// expired, is about to, or lacks a name. An error names what is wrong with the files, with a hint.
func (k *Keeper) Open() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.load()
}

// Reload takes a new configuration and the present files over. After an error the old certificate stays in use.
func (k *Keeper) Reload(c Config) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	old := k.cfg
	k.cfg = c
	if err := k.load(); err != nil {
		k.cfg = old
		return err
	}
	return nil
}

// Run looks after the certificate until ctx ends: it takes over files that have changed and renews the own one in time.
func (k *Keeper) Run(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			k.look()
		}
	}
}

func (k *Keeper) look() {
	k.mu.Lock()
	defer k.mu.Unlock()
	changed := k.stamps() != k.seen
	if !changed && !k.due() {
		return
	}
	if err := k.load(); err != nil && changed {
		k.log.Error("the new certificate was not taken, the old one stays", "error", err)
	}
}

// due reports whether the own certificate has to be made again by its dates. One from the future says that the clock runs
// behind: making it again would only change the fingerprint.
func (k *Keeper) due() bool {
	s := k.current.Load()
	return s != nil && k.cfg.own() && k.now().After(s.info.NotAfter.Add(-renewAhead))
}

// load loads the files, makes the own certificate if need be, and shows the outcome.
func (k *Keeper) load() (err error) {
	defer func() { k.seen, k.problem = k.stamps(), err }()
	pair, err := load(k.cfg, k.now())
	why := ""
	if k.cfg.own() {
		why = k.stale(pair, err)
	}
	if why != "" {
		if why == firstStart {
			k.log.Info("the appliance makes itself a certificate")
		} else {
			k.log.Warn("the appliance makes its certificate again: clients that trust the old one must be told the new fingerprint", "why", why)
		}
		pair, err = create(k.cfg, k.now(), false)
	}
	if err != nil {
		return err
	}
	s := &shown{pair, describe(k.cfg, pair)}
	old := k.current.Swap(s)
	if old == nil || old.info.Fingerprint != s.info.Fingerprint {
		k.log.Info("certificate", "file", s.info.File, "own", s.info.Own, "fingerprint", s.info.Fingerprint, "names", s.info.Names,
			"expires", s.info.NotAfter.UTC().Format(time.RFC3339))
		k.note(s.info, why)
	}
	return nil
}

// noteTime bounds how long the journal may take: connections are answered meanwhile, looks at the files wait.
const noteTime = 5 * time.Second

// note puts the certificate that is shown from now on into the journal; made says why it was made, "" where it was found. A
// journal that fails must not keep clients from the API, whose requests are not answered without it anyway.
func (k *Keeper) note(i Info, made string) {
	detail := map[string]string{"origin": "brought"}
	if i.Own {
		detail["origin"] = "own"
	}
	if made != "" {
		detail["made"] = made[:min(len(made), 120)]
	}
	ctx, cancel := context.WithTimeout(context.Background(), noteTime)
	defer cancel()
	if err := k.journal.Note(ctx, appliance.Entry{Kind: appliance.EntryTLS, Subject: i.Fingerprint, Detail: detail}); err != nil {
		k.log.Error("the certificate is not in the journal", "error", err)
	}
}

const firstStart = "first start"

// stale says why the own certificate must be made (again), "" when it can stay or the error is one of its key.
func (k *Keeper) stale(pair *tls.Certificate, err error) string {
	file, keyFile := k.cfg.files()
	if err != nil {
		_, noKey := os.Stat(keyFile)
		_, noFile := os.Stat(file)
		switch {
		case missing(noKey) && missing(noFile):
			return firstStart
		case missing(noKey):
			return "its key is gone"
		case missing(noFile):
			return "it is gone"
		}
		if text, keyErr := readKey(keyFile); keyErr == nil {
			if _, keyErr = parseKey(keyFile, text); keyErr == nil {
				return "it is damaged, or does not fit its key"
			}
		}
		return ""
	}
	if k.now().After(pair.Leaf.NotAfter.Add(-renewAhead)) {
		return "it expires on " + pair.Leaf.NotAfter.UTC().Format(time.DateOnly)
	}
	if names := lacking(pair.Leaf, k.cfg.Names); len(names) > 0 {
		return "it lacks " + strings.Join(names, ", ")
	}
	return ""
}

func (k *Keeper) stamps() (s [2]stamp) {
	file, key := k.cfg.files()
	for i, name := range []string{file, key} {
		info, err := os.Stat(name)
		if err != nil {
			continue
		}
		s[i] = stamp{size: info.Size(), modified: info.ModTime()}
		if sys, ok := info.Sys().(*syscall.Stat_t); ok {
			s[i].inode = sys.Ino
		}
	}
	return s
}

// TLS returns the configuration of a server that shows the certificate, always the one of the moment. It speaks TLS
// 1.3 alone. There are no session tickets, so that no key outlives a connection and every client sees the certificate.
func (k *Keeper) TLS() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13, NextProtos: []string{"http/1.1"}, SessionTicketsDisabled: true,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			s := k.current.Load()
			if s == nil {
				return nil, errors.New("there is no certificate yet: the keeper is not open")
			}
			return s.pair, nil
		},
	}
}

// Info describes the certificate that is shown now; it is empty before Open.
func (k *Keeper) Info() Info {
	if s := k.current.Load(); s != nil {
		return s.info
	}
	return Info{}
}

// Warnings lists what an operator should mend about the certificate.
func (k *Keeper) Warnings() []appliance.Warning {
	k.mu.Lock()
	problem := k.problem
	k.mu.Unlock()
	warnings := Warnings(k.Info(), k.now())
	if problem != nil {
		warnings = append(warnings, appliance.Warn(appliance.WarnCertificate,
			appliance.Phrasef("the certificate's files are not used as they are now: %v", problem),
			appliance.Phrasef("`bawab tls show` says what is wrong with them")))
	}
	return warnings
}

// Warnings judges the dates of a certificate.
func Warnings(i Info, now time.Time) []appliance.Warning {
	day, way := i.NotAfter.UTC().Format(time.DateOnly), appliance.Phrasef("bring a new one in time: put it into %s", i.File)
	if i.Own {
		way = appliance.Phrasef(
			"choose the moment with `bawab tls renew`, and tell clients that trust the certificate the new one; its key stays",
		)
	}
	var said appliance.Phrase
	switch {
	case i.File == "":
		return nil
	case now.After(i.NotAfter):
		said = appliance.Phrasef("the certificate expired on %s", day)
	case now.Before(i.NotBefore):
		said = appliance.Phrasef("the certificate is not valid before %s", i.NotBefore.UTC().Format(minute))
		way = appliance.Phrasef("check the clock of this machine")
	case i.Own && now.After(i.NotAfter.Add(-warnAhead)):
		said = appliance.Phrasef("the certificate expires on %s and is renewed by itself on %s",
			day, i.NotAfter.Add(-renewAhead).UTC().Format(time.DateOnly))
	case !i.Own && now.After(i.NotAfter.Add(-warnBrought)):
		said = appliance.Phrasef("the certificate expires on %s", day)
	default:
		return nil
	}
	return []appliance.Warning{appliance.Warn(appliance.WarnCertificate, said, way)}
}

// warnBrought is how long before its end a brought certificate is warned of. Those that are renewed by a program are
// so a month before.
const warnBrought = 21 * 24 * time.Hour
