package daemon

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/models"
	"github.com/bawab/bawab/models/pack"
)

// vendorKey is the public key (Ed25519, base64) of who signs model packs; the linker may set it, and the configuration
// may name another one.
var vendorKey = ""

// Signers returns the public keys of who signs model packs: the vendor and the site, each nil where none is known.
func Signers(cfg *configs.Config) (s pack.Signers, err error) {
	if s.Vendor, err = publicKey("models.vendor_key", cmp.Or(cfg.Models.VendorKey, vendorKey)); err == nil {
		s.Site, err = publicKey("models.site_key", cfg.Models.SiteKey)
	}
	return s, err
}

// publicKey reads the key of a setting; "" is none.
func publicKey(path, text string) (ed25519.PublicKey, error) {
	if text == "" {
		return nil, nil
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw) != ed25519.PublicKeySize {
		return nil, &appliance.Error{
			Code: appliance.CodeBadRequest, Op: "read " + path, Msg: "it is no Ed25519 public key in base64",
			Hint: "`bawab models pack` and `bawab learn` print the key that belongs to a pack",
		}
	}
	return ed25519.PublicKey(raw), nil
}

// modelSetName is how the journal and the commands name a model set.
func modelSetName(set *models.Set) string { return SetName(set.Version()) }

// SetName is how the journal and the commands name the model set of a version.
func SetName(v uint64) string { return strconv.FormatUint(v, 10) }

// Shelf returns the installed sets of a data folder and the set in the program.
func Shelf(cfg *configs.Config) (*pack.Shelf, *models.Set, error) {
	set, err := engine.Embedded()
	if err != nil {
		return nil, nil, err
	}
	from, err := Signers(cfg)
	if err != nil {
		return nil, nil, err
	}
	return pack.NewShelf(cfg.Data, from, set.Version()), set, nil
}

// openEngine opens the networks of the set that the shelf names. A set that does not open is given up for the one before; the
// last resort is the set in the program. A shelf that cannot be used, as on a full disk, is an error where other networks are in use; only
// a start goes on with the set in the program.
func (d *daemon) openEngine(ctx context.Context, start bool) (*engine.Engine, pack.Opened, error) {
	shelf, embedded, err := Shelf(d.cfg)
	if err != nil {
		return nil, pack.Opened{}, err
	}
	for {
		o, err := shelf.Begin(ctx)
		if err != nil && !start {
			return nil, pack.Opened{}, err
		}
		if err != nil {
			d.log.Error("the installed models cannot be used, those of the program are", "error", err)
			o = pack.Opened{}
		}
		if o.GaveUp != 0 {
			d.modelsFailed(ctx, o.GaveUp, o.Why)
		}
		set := o.Set
		if set == nil {
			set = embedded
		}
		e, err := d.openSet(ctx, set)
		if err == nil || o.Set == nil {
			return e, o, err
		}
		why := pack.Brief(err)
		if _, _, err := shelf.Rollback(why); err != nil {
			return nil, o, fmt.Errorf("give up the models of version %d (%s): %w", o.Version, why, err)
		}
		d.modelsFailed(ctx, o.Version, why)
	}
}

// openSet opens the networks of a set, and sees to it that the calibration that it may bring reads.
func (d *daemon) openSet(ctx context.Context, set *models.Set) (*engine.Engine, error) {
	e, err := engine.OpenSet(ctx, set, d.cfg.Picture, d.cfg.Queue.Workers)
	if err != nil {
		return nil, err
	}
	if err := e.CheckCalibration(ctx); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// modelsFailed notes that a model set was given up.
func (d *daemon) modelsFailed(ctx context.Context, version uint64, why string) {
	d.log.Error("a model set was given up", "version", version, "why", why)
	e := appliance.Entry{Kind: appliance.EntryModelsFailed, Subject: SetName(version), Detail: map[string]string{"why": why}}
	if err := d.journal.Note(ctx, e); err != nil {
		d.log.Error("it was not noted", "error", err)
	}
}
