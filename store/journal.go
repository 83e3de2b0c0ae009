package store

import (
	"bytes"
	"context"
)

// metaJournal is where the signed head of the journal lies. It holds nothing secret, and its signature is its seal.
const metaJournal = "journal"

// JournalHead returns the copy of the journal's signed head; nil where none was kept.
func (s *Store) JournalHead(ctx context.Context) (head []byte, err error) {
	err = s.view(ctx, "read the journal's head", func(t tables) error {
		head = bytes.Clone(t.meta.Get([]byte(metaJournal)))
		return nil
	})
	return head, err
}

// KeepJournalHead keeps a copy of the journal's signed head, so that older files of the journal that were put back are
// noticed.
func (s *Store) KeepJournalHead(ctx context.Context, head []byte) error {
	return s.writeVital(ctx, "keep the journal's head", func(t tables) (refusal, failure error) {
		return nil, t.meta.Put([]byte(metaJournal), head)
	})
}
