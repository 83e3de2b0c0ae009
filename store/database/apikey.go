package database

import (
	"encoding/json"
	"fmt"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/seal"
)

// HasAPIKey reports whether there is an API key of a name.
func (t Tables) HasAPIKey(name string) bool { return t.keys.Get([]byte(name)) != nil }

// APIKey opens the API key of a name.
func (t Tables) APIKey(name string) (appliance.Key, error) {
	k, err := OpenAPIKey(t.key, []byte(name), t.keys.Get([]byte(name)))
	if err != nil {
		return k, errKeyDamaged([]byte(name), err)
	}
	return k, nil
}

// APIKeys opens all API keys, by name.
func (t Tables) APIKeys() (out []appliance.Key, err error) {
	c := t.keys.Cursor()
	for name, v := c.First(); name != nil; name, v = c.Next() {
		k, err := OpenAPIKey(t.key, name, v)
		if err != nil {
			return nil, errKeyDamaged(name, err)
		}
		out = append(out, k)
	}
	return out, nil
}

// PutAPIKey seals an API key. It needs no secrecy, since it holds a hash only; the seal keeps somebody who can write the
// file but lacks the appliance key from adding a key of their own, and shows damage.
func (t Tables) PutAPIKey(k appliance.Key) error {
	plain, err := json.Marshal(k)
	if err != nil {
		return fmt.Errorf("encode key: %w", err)
	}
	return t.PutSealedAPIKey(k.Name, t.key.Seal(plain, seal.PurposeAPIKey, []byte(k.Name)))
}

// PutSealedAPIKey puts down an API key that is sealed already.
func (t Tables) PutSealedAPIKey(name string, value []byte) error {
	return t.keys.Put([]byte(name), value)
}

// DropAPIKey drops an API key.
func (t Tables) DropAPIKey(name string) error { return t.keys.Delete([]byte(name)) }

// OpenAPIKey opens the stored value of an API key.
func OpenAPIKey(key seal.Sealer, name, value []byte) (appliance.Key, error) {
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
