package main

import (
	"context"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/console"
	"github.com/bawab/bawab/appliance/httpapi"
)

// console brings up the pages.
func (d *daemon) console() (*httpapi.Console, error) {
	pages, err := console.New()
	if err != nil {
		return nil, err
	}
	return &httpapi.Console{Pages: pages, Status: d.status, Checks: d.examine, Rooms: d.rooms()}, nil
}

// examine makes those checks of the doctor that need no other process and no network run.
func (d *daemon) examine(context.Context) []appliance.Check {
	now := time.Now()
	checks := []appliance.Check{
		checkProcessor(), checkClock(now), checkSync(), checkFolder(d.cfg.Data), checkDisk(d.cfg.Data, int64(d.cfg.Store.MinFree)),
		checkFiles(d.cfg.Data), checkCopies(d.cfg.Data),
	}
	status := d.status()
	checks = append(checks, checkCamera(d.cfg.Camera, &status)...)
	checks = append(checks, checkCertificate(d.cfg, now)...)
	return append(checks, checkKeys(d.keys.List(), now))
}
