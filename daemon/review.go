package daemon

import (
	"cmp"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/bawab/bawab/configs"
)

// reviewing keeps pictures for review by the configuration; nil where none are kept.
func (d *daemon) reviewing() *usecase.Reviewing {
	c := d.cfg.Review
	if c.Keep == 0 {
		return nil
	}
	return &usecase.Reviewing{
		Store: d.store, Keep: c.Lasts(), Rules: reviewRules(c), Versions: d.versions,
		Told: d.reviewTold,
	}
}

// reviewTold hears how it went to keep a picture for review.
func (d *daemon) reviewTold(err error) {
	if err == nil {
		d.unkept.Store(nil)
		return
	}
	d.unkept.Store(&err)
	d.log.Warn("a picture was not kept for review", "error", err)
}

// reviewRules reads the rules of a configuration.
func reviewRules(c configs.Review) usecase.ReviewRules {
	r := usecase.ReviewRules{Share: float64(c.Share) / 100, Flagged: c.Flagged}
	for _, kind := range c.Kinds {
		r.Kinds = append(r.Kinds, appliance.Kind(cmp.Or(configs.PackKind(kind), kind)))
	}
	return r
}

// versions names the program and its networks, by the begin of their SHA-256.
func (d *daemon) versions() map[string]string {
	v := map[string]string{"bawab": d.version}
	if e := d.engine.Load(); e != nil {
		for _, m := range e.Set.List() {
			v[m.Name] = m.SHA256[:min(len(m.SHA256), 16)]
		}
	}
	return v
}

// review is the queue as the API shows it. It stays where keeping was turned off: what was kept before can be looked at to its end.
func (d *daemon) review() *httpapi.Review {
	return &httpapi.Review{Store: d.store, LooksPerMinute: d.cfg.Review.Looks}
}
