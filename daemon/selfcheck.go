package daemon

import (
	"context"
	_ "embed"
	"strings"

	"github.com/bawab/bawab/daemon/watch"
	"github.com/bawab/bawab/inference/engine"
)

// selfCheckPicture is a small drawn picture with a line of text.
//
//go:embed selfcheck.png
var selfCheckPicture []byte

// builtIn reads the built-in picture with an engine.
func (d *daemon) builtIn(e *engine.Engine) func(context.Context) (string, error) {
	general := d.vigil.Over(e.General)
	return func(ctx context.Context) (string, error) {
		p, err := e.Decoder.Decode(ctx, selfCheckPicture)
		if err != nil {
			return "", err
		}
		r, err := general.Read(ctx, p, nil)
		var lines []string
		for _, l := range r.Lines {
			lines = append(lines, l.Text)
		}
		return strings.Join(lines, "\n"), err
	}
}

// openCheck makes the self-check over the daemon's own parts.
func (d *daemon) openCheck() {
	d.check = watch.NewCheck(func(ctx context.Context) error {
		// No use of a key is written down, but the transaction that would is: through the writer, to the disk.
		if err := d.store.TouchKeys(ctx, nil); err != nil {
			return err
		}
		_, err := d.store.Keys(ctx)
		return err
	}, func(err error) { d.trial.fail(d.engine.Load().Set.Version(), err) })
}
