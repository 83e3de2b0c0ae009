package main

import (
	"context"

	"github.com/bawab/bawab/daemon/journal"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/store"
)

// journaledKeys runs do with the keys of a store that no daemon uses, so that what changes is noted.
func journaledKeys(ctx context.Context, t *terminal, p place, s *store.Store, do func(appliance.KeyStore) error) error {
	cfg, err := p.load(t, nil)
	if err != nil {
		return err
	}
	return journal.With(ctx, cfg, s, func(j appliance.Journal) error { return do(appliance.JournaledKeys(s, j)) })
}

// journalKeys finds what the journal of a data folder is verified with: through the daemon, or in its store.
func journalKeys(ctx context.Context, t *terminal, cfg *configs.Config) (keys httpapi.JournalKeys, live bool, err error) {
	client, err := dial(cfg)
	if err != nil {
		return keys, false, err
	}
	if client != nil {
		defer client.Close()
		keys, err = client.JournalKeys(ctx)
		return keys, true, err
	}
	err = withStore(ctx, t, cfg, func(s *store.Store) (err error) {
		keys, err = journal.Stored(ctx, s)
		return err
	})
	return keys, false, err
}
