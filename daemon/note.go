package daemon

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/daemon/journal"
	"github.com/bawab/bawab/store/noted"
)

// Open opens the journal of the daemon, and notes the start.
func (d *daemon) openJournal(ctx context.Context) (err error) {
	if d.journal, err = journal.Open(ctx, d.cfg, d.store, d.log); err != nil {
		return err
	}
	d.journal.Models = d.modelSet
	run, stop := context.WithCancel(context.Background())
	var upkeep sync.WaitGroup
	upkeep.Go(func() { d.journal.Run(run) })
	upkeep.Go(func() { d.eachInterval(run, "refused requests were not noted", d.noteRefusals) })
	d.push("journal", func() error {
		stop()
		upkeep.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		var err error
		if d.server != nil {
			err = d.server.NoteRefusals(ctx)
		}
		return errors.Join(err, d.journal.Journal.Note(ctx, appliance.Entry{Kind: appliance.EntryStop, Subject: d.version}),
			d.journal.Keep(ctx), d.journal.Close())
	})
	if err := d.journal.Journal.Note(ctx, appliance.Entry{Kind: appliance.EntryStart, Subject: d.version}); err != nil {
		// The journal notes it when it can; until then no request is answered either.
		d.log.Error("the start was not noted", "error", err)
	}
	return nil
}

// noteRefusals notes how many requests were refused since the last time.
func (d *daemon) noteRefusals(ctx context.Context) error {
	if !d.ready.Load() {
		return nil
	}
	return d.server.NoteRefusals(ctx)
}

// modelSet names the model set in use, "" until the networks are open.
func (d *daemon) modelSet() string {
	if !d.ready.Load() {
		return ""
	}
	return modelSetName(d.engine.Load().Set)
}

// noted is the store of the daemon, with its journal.
func (d *daemon) noted() noted.Store {
	return noted.Store{Store: d.store, Journal: d.journal, Branch: d.branch}
}
