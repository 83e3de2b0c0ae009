package store

import (
	"context"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/database"
)

// AddKey stores an API key; see appliance.KeyStore.
func (s *Store) AddKey(ctx context.Context, k appliance.Key) error {
	if k.Name == "" {
		return appliance.Errorf(appliance.CodeBadRequest, "the key needs a name")
	}
	return s.write(ctx, "add key", func(t database.Tables) (refusal, failure error) {
		if t.HasAPIKey(k.Name) {
			return appliance.Errorf(appliance.CodeBadRequest, "a key named %q exists already: choose another name or revoke that one", k.Name), nil
		}
		return nil, t.PutAPIKey(k)
	})
}

// Keys returns all API keys by name; see appliance.KeyStore.
func (s *Store) Keys(ctx context.Context) ([]appliance.Key, error) {
	var out []appliance.Key
	err := s.view(ctx, "list keys", func(t database.Tables) (err error) {
		out, err = t.APIKeys()
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// RevokeKey removes an API key; see appliance.KeyStore. Like an erased transaction it leaves nothing in the file, so
// that no salvage can bring it back.
func (s *Store) RevokeKey(ctx context.Context, name string) error {
	err := s.writeVital(ctx, "revoke key", func(t database.Tables) (refusal, failure error) {
		if name == "" || !t.HasAPIKey(name) {
			return appliance.Refusal(appliance.CodeNotFound, "", appliance.Phrasef("there is no key named %q", name),
				appliance.Phrasef("`bawab keys list` shows the names"), nil), nil
		}
		s.scrubDue = true
		return nil, t.DropAPIKey(name)
	})
	if err != nil {
		return err
	}
	return s.scrubNow()
}

// TouchKeys records when keys were last used; see appliance.KeyStore.
func (s *Store) TouchKeys(ctx context.Context, used map[string]time.Time) error {
	return s.write(ctx, "touch keys", func(t database.Tables) (refusal, failure error) {
		for name, at := range used {
			if !t.HasAPIKey(name) {
				continue
			}
			k, err := t.APIKey(name)
			if err != nil {
				return err, nil
			}
			k.LastUsed = at
			if err := t.PutAPIKey(k); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
}
