package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/seal"
)

// AddKey stores an API key; see appliance.KeyStore.
func (s *Store) AddKey(ctx context.Context, k appliance.Key) error {
	if k.Name == "" {
		return appliance.Errorf(appliance.CodeBadRequest, "the key needs a name")
	}
	return s.write(ctx, "add key", func(t tables) (refusal, failure error) {
		if t.keys.Get([]byte(k.Name)) != nil {
			return appliance.Errorf(appliance.CodeBadRequest, "a key named %q exists already: choose another name or revoke that one", k.Name), nil
		}
		return nil, s.putKey(t, k)
	})
}

// putKey seals a key. It needs no secrecy, since it holds a hash only; the seal keeps somebody who can write the
// file but lacks the appliance key from adding a key of their own, and shows damage.
func (s *Store) putKey(t tables, k appliance.Key) error {
	plain, err := json.Marshal(k)
	if err != nil {
		return fmt.Errorf("encode key: %w", err)
	}
	return t.keys.Put([]byte(k.Name), s.sealer.Seal(plain, seal.PurposeAPIKey, []byte(k.Name)))
}

func openAPIKey(key seal.Sealer, name, value []byte) (appliance.Key, error) {
	var k appliance.Key
	plain, err := key.Open(value, seal.PurposeAPIKey, name)
	if err != nil {
		return k, err
	}
	err = json.Unmarshal(plain, &k)
	return k, err
}

func errKeyDamaged(name []byte, err error) error {
	said := appliance.Phrasef("the stored API key %q is damaged", name)
	return appliance.Refusal(appliance.CodeInternal, "read key", said, appliance.Phrasef(seal.HintCheck), err)
}

// Keys returns all API keys by name; see appliance.KeyStore.
func (s *Store) Keys(ctx context.Context) ([]appliance.Key, error) {
	var out []appliance.Key
	err := s.view(ctx, "list keys", func(t tables) error {
		c := t.keys.Cursor()
		for name, v := c.First(); name != nil; name, v = c.Next() {
			k, err := openAPIKey(s.sealer, name, v)
			if err != nil {
				return errKeyDamaged(name, err)
			}
			out = append(out, k)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// RevokeKey removes an API key; see appliance.KeyStore. Like an erased transaction it leaves nothing in the file, so
// that no salvage can bring it back.
func (s *Store) RevokeKey(ctx context.Context, name string) error {
	err := s.writeVital(ctx, "revoke key", func(t tables) (refusal, failure error) {
		if name == "" || t.keys.Get([]byte(name)) == nil {
			return appliance.Refusal(appliance.CodeNotFound, "", appliance.Phrasef("there is no key named %q", name),
				appliance.Phrasef("`bawab keys list` shows the names"), nil), nil
		}
		s.scrubDue = true
		return nil, t.keys.Delete([]byte(name))
	})
	if err != nil {
		return err
	}
	return s.scrubNow()
}

// TouchKeys records when keys were last used; see appliance.KeyStore.
func (s *Store) TouchKeys(ctx context.Context, used map[string]time.Time) error {
	return s.write(ctx, "touch keys", func(t tables) (refusal, failure error) {
		for name, at := range used {
			v := t.keys.Get([]byte(name))
			if v == nil {
				continue
			}
			k, err := openAPIKey(s.sealer, []byte(name), v)
			if err != nil {
				return errKeyDamaged([]byte(name), err), nil
			}
			k.LastUsed = at
			if err := s.putKey(t, k); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
}
