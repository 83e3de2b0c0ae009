package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/daemon/doctor"
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

// Choice says with which networks, and for which kinds of documents, a command reads pictures: those of a pack, and those that lie in a
// folder, and by the calibration of a file. Each may be "".
type Choice struct{ Pack, Kinds, Calibration string }

// set is the pack that was chosen, otherwise what unless returns, with the kinds and the calibration that were chosen.
func (c Choice) set(cfg *configs.Config, unless func() (*models.Set, error)) (set *models.Set, err error) {
	if c.Pack != "" {
		unless = func() (*models.Set, error) { return SetToMeasure(cfg, c.Pack) }
	}
	if set, err = unless(); err == nil && c.Kinds != "" {
		set, err = engine.WithKinds(set, c.Kinds)
	}
	if err == nil && c.Calibration != "" {
		set, err = engine.WithCalibration(set, c.Calibration)
	}
	return set, err
}

// Opener opens the engine that was chosen, with the networks of the program where none were; it is nil where nothing was chosen.
func (c Choice) Opener(load func() (*configs.Config, error)) func(context.Context) (*engine.Engine, error) {
	if c == (Choice{}) {
		return nil
	}
	return func(ctx context.Context) (*engine.Engine, error) {
		cfg, err := load()
		if err != nil {
			return nil, err
		}
		set, err := c.set(cfg, engine.Embedded)
		if err != nil {
			return nil, err
		}
		return engine.OpenSet(ctx, set, cfg.Picture, cfg.Queue.Workers)
	}
}

// InUse is the set that was chosen, where none was the one that a daemon of the data folder would start with. Where nobody may look at what
// is installed there, that is the program's, and errs is told so.
func (c Choice) InUse(cfg *configs.Config, errs io.Writer) (*models.Set, error) {
	return c.set(cfg, func() (*models.Set, error) {
		shelf, embedded, err := Shelf(cfg)
		if err != nil {
			return nil, err
		}
		st, err := shelf.State()
		if err != nil {
			msg, _ := doctor.Explain(err)
			fmt.Fprintf(errs, "the installed models cannot be seen: %s\n", words.OneLine(msg))
			return embedded, nil
		}
		return InUse(shelf, embedded, st)
	})
}
