package daemon

import (
	"context"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/console"
	"github.com/bawab/bawab/appliance/httpapi/browser"
	"github.com/bawab/bawab/daemon/doctor"
)

// console brings up the pages.
func (d *daemon) console() (*browser.Console, error) {
	pages, err := console.New()
	if err != nil {
		return nil, err
	}
	return &browser.Console{Pages: pages, Status: d.status, Checks: d.examine, Rooms: d.rooms()}, nil
}

// examine makes those checks of the doctor that need no other process and no network run.
func (d *daemon) examine(context.Context) []appliance.Check {
	now := time.Now()
	checks := []appliance.Check{
		doctor.Processor(), doctor.Clock(now), doctor.TimeSource(), doctor.Folder(d.cfg.Data), doctor.Disk(d.cfg.Data,
			int64(d.cfg.Store.MinFree)),
		doctor.Files(d.cfg.Data), doctor.Copies(d.cfg.Data),
	}
	status := d.status()
	checks = append(checks, doctor.Camera(d.cfg.Camera, &status)...)
	checks = append(checks, doctor.Certificate(d.cfg.Listen, CertificateConfig(d.cfg), now)...)
	return append(checks, doctor.Keys(d.keys.List(), now))
}
