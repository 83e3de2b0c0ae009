package learn

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/site"
	"github.com/bawab/bawab/models"
	"github.com/bawab/bawab/models/pack"
)

// Files writes the model set with what was learned into an empty folder, as a pack is made of it. The networks are the same. Its version is
// newer than that of the set in use.
func (l *Learning) Files(r *Result, dir string) error {
	c, err := l.Set.Contents(time.Now())
	if err != nil {
		return fmt.Errorf("write learned set: %w", err)
	}
	for i := range c.Models {
		m := &c.Models[i]
		m.Thresholds = maps.Clone(m.Thresholds)
		for _, t := range r.thresholds {
			if t.model == m.Name {
				m.Thresholds[t.name] = models.Threshold{
					Value: t.to, DataSet: fmt.Sprintf("the site's own, %d presentations", t.n), Date: r.Site.Origin.Date, Budget: t.budget,
				}
			}
		}
	}
	c.Kinds = r.Described.of(c.Kinds)
	if c.Site, err = r.Site.Text(); err == nil {
		_, err = site.Parse(c.Site, l.brought())
	}
	if err != nil {
		return fmt.Errorf("write learned set: %w", err)
	}
	if err := c.Write(dir); err != nil {
		return &appliance.Error{Op: "write learned set", Msg: err.Error(), Hint: "make room in the folder for temporary files"}
	}
	return nil
}

// Pack signs the model set with what was learned. The key is the site's private one.
func (l *Learning) Pack(r *Result, key ed25519.PrivateKey) ([]byte, pack.Info, error) {
	var (
		b    bytes.Buffer
		info pack.Info
	)
	err := l.written(r, func(folder fs.FS) (err error) {
		info, err = pack.Write(&b, folder, key)
		return err
	})
	return b.Bytes(), info, err
}

// set opens the model set with what was learned, as a pack of it would be.
func (l *Learning) set(r *Result) (set *models.Set, err error) {
	err = l.written(r, func(folder fs.FS) (err error) {
		set, err = models.Load(folder)
		return err
	})
	return set, err
}

// written lets use read what was learned from a folder that is removed afterwards.
func (l *Learning) written(r *Result, use func(folder fs.FS) error) error {
	dir, err := os.MkdirTemp("", "bawab-learn-")
	if err != nil {
		return fmt.Errorf("write learned set: %w", err)
	}
	if err = l.Files(r, dir); err == nil {
		err = use(os.DirFS(dir))
	}
	return errors.Join(err, os.RemoveAll(dir))
}
