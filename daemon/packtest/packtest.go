// Package packtest makes signed model packs for tests.
package packtest

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/models"
	"github.com/bawab/bawab/models/pack"
)

// Packer makes packs that the programs of a test take.
type Packer struct {
	t      *testing.T
	Public ed25519.PublicKey // belongs to the key that signs
	key    ed25519.PrivateKey
}

// New makes a packer with a key of its own, which the programs of the test take for the vendor's.
func New(t *testing.T) *Packer {
	t.Helper()
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("BAWAB_MODELS_VENDOR_KEY", base64.StdEncoding.EncodeToString(public))
	return &Packer{t, public, key}
}

// Pack makes a pack of the networks of the program, each after a change, and returns its content.
func (p *Packer) Pack(version uint64, change func(*models.Model)) []byte {
	p.t.Helper()
	dir := p.t.TempDir()
	if err := WriteSet(dir, version, change); err != nil {
		p.t.Fatal(err)
	}
	return p.packOf(dir)
}

// Calibrated makes a pack of the networks of the program with a calibration, which is looked at no closer than a pack needs.
func (p *Packer) Calibrated(version uint64, calibration string) []byte {
	p.t.Helper()
	dir := p.t.TempDir()
	err := WriteSet(dir, version, Unchanged)
	if err := errors.Join(err, os.WriteFile(filepath.Join(dir, models.CalibrationFile), []byte(calibration), 0o600)); err != nil {
		p.t.Fatal(err)
	}
	return p.packOf(dir)
}

// packOf makes a pack of the set in a folder.
func (p *Packer) packOf(dir string) []byte {
	p.t.Helper()
	var b bytes.Buffer
	if _, err := pack.Write(&b, os.DirFS(dir), p.key); err != nil {
		p.t.Fatal(err)
	}
	return b.Bytes()
}

// Adopt installs a pack without a word to the daemon, and without the check that `bawab models install` makes.
func (p *Packer) Adopt(data string, content []byte) {
	p.t.Helper()
	set, err := engine.Embedded()
	if err != nil {
		p.t.Fatal(err)
	}
	shelf := pack.NewShelf(data, pack.Signers{Vendor: p.Public}, set.Version())
	dir, info, err := shelf.Stage(bytes.NewReader(content))
	if err == nil {
		err = shelf.Adopt(dir, info)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// Unchanged leaves a network as it is.
func Unchanged(*models.Model) {}

// WriteSet writes the networks of the program as a set of another version, each after a change.
func WriteSet(dir string, version uint64, change func(*models.Model)) error {
	set, err := models.Open()
	if err != nil {
		return err
	}
	list := set.List()
	errs := []error{os.MkdirAll(dir, 0o700)}
	for i := range list {
		if len(list[i].Changes) == 0 { // another's file otherwise
			errs = append(errs, os.WriteFile(filepath.Join(dir, list[i].File), list[i].Bytes, 0o600))
		}
		change(&list[i])
	}
	text, err := json.Marshal(map[string]any{"version": version, "models": list})
	return errors.Join(append(errs, err, os.WriteFile(filepath.Join(dir, "manifest.json"), text, 0o600))...)
}
