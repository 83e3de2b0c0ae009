package store

import (
	"bytes"
	"context"

	"github.com/bawab/bawab/store/database"
)

// JournalHead returns the copy of the journal's signed head; nil where none was kept.
func (s *Store) JournalHead(ctx context.Context) (head []byte, err error) {
	err = s.view(ctx, "read the journal's head", func(t database.Tables) error {
		head = bytes.Clone(t.JournalHead())
		return nil
	})
	return head, err
}

// KeepJournalHead keeps a copy of the journal's signed head, so that older files of the journal that were put back are
// noticed.
func (s *Store) KeepJournalHead(ctx context.Context, head []byte) error {
	return s.writeVital(ctx, "keep the journal's head", func(t database.Tables) (refusal, failure error) {
		return nil, t.PutJournalHead(head)
	})
}
