package store

import (
	"context"

	"github.com/bawab/bawab/appliance/proof"
	"github.com/bawab/bawab/store/database"
)

// Identity returns the key pair with which this appliance signs. It is made with the database and stays the same as long
// as anything of the database is kept: a check opens it, a salvage, a backup and a new appliance key carry it over.
func (s *Store) Identity(ctx context.Context) (id *proof.Identity, err error) {
	err = s.view(ctx, "read identity", func(t database.Tables) (err error) {
		id, err = t.Identity()
		return err
	})
	return id, err
}
