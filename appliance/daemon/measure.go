package daemon

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/models"
	"github.com/bawab/bawab/models/pack"
)

// EngineOf opens the networks of a pack, or, without one, those in use: of the shelf where a set is installed, else of the program.
func EngineOf(cfg *configs.Config, name string) func(context.Context) (*engine.Engine, error) {
	return func(ctx context.Context) (*engine.Engine, error) {
		set, err := SetToMeasure(cfg, name)
		if err != nil {
			return nil, err
		}
		return engine.OpenSet(ctx, set, cfg.Picture, cfg.Queue.Workers)
	}
}

// InUse is the model set that a daemon would start with now: the installed one, unless that of the program is newer.
func InUse(shelf *pack.Shelf, embedded *models.Set, st pack.State) (*models.Set, error) {
	if st.Current <= embedded.Version() {
		return embedded, nil
	}
	return shelf.Open(st.Current)
}

// SetToMeasure is the set of a pack, or, without one, the set in use.
func SetToMeasure(cfg *configs.Config, name string) (_ *models.Set, err error) {
	shelf, embedded, err := Shelf(cfg)
	if err != nil {
		return nil, err
	}
	if name == "" {
		st, err := shelf.State()
		if err != nil {
			return embedded, err
		}
		return InUse(shelf, embedded, st)
	}
	from, err := Signers(cfg)
	if err != nil {
		return nil, err
	}
	if from.None() {
		return nil, &appliance.Error{
			Op: "open pack", Msg: "nobody who signs model packs is known",
			Hint: "set models.vendor_key to the key that `bawab models pack` printed, or models.site_key to that of `bawab learn`",
		}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, &appliance.Error{Op: "open pack", Msg: err.Error(), Hint: "check its name"}
	}
	defer f.Close()
	dir, err := os.MkdirTemp("", "bawab-pack-")
	if err != nil {
		return nil, fmt.Errorf("open pack: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if _, err := pack.Unpack(f, from, dir, nil); err != nil {
		return nil, err
	}
	set, _, err := pack.Open(dir, from)
	return set, err
}
