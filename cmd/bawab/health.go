package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/appliance/words"
)

func (d *daemon) health() httpapi.Health {
	return httpapi.Health{
		Ready:      func() error { return errors.Join(d.storesHealthy(), d.journal.Healthy()) },
		Warnings:   d.warnings,
		QueueDepth: d.queue.Depth,
		StoreBytes: func() int64 {
			size, err := d.store.Size()
			if err != nil {
				d.log.Warn("the store was not measured", "error", err)
			}
			return size
		},
		DiskFree: func() (int64, bool) {
			free, err := d.store.DiskFree()
			return free, err == nil
		},
		CertificateEnd: func() time.Time {
			if d.certificate == nil {
				return time.Time{}
			}
			return d.certificate.Info().NotAfter
		},
	}
}

// warnings lists the lasting conditions that hold now.
func (d *daemon) warnings() []appliance.Warning {
	var w []appliance.Warning
	add := func(code appliance.WarningCode, hint, format string, args ...any) {
		w = append(w, appliance.Warning{Code: code, Msg: fmt.Sprintf(format, args...), Hint: hint})
	}
	if free, err := d.store.DiskFree(); err == nil && free < int64(d.cfg.Store.MinFree) {
		add(appliance.WarnDiskLow, "free some room on the disk of the data folder", "only %s are free where the store lies", words.Size(free))
	}
	w = append(w, keyPending(d.store)...)
	w = append(w, d.journal.warnings()...)
	w = append(w, d.branchWarnings()...)
	w = append(w, d.reviewWarnings()...)
	if d.store.Healthy() != nil {
		add(appliance.WarnStoreFailing, "`bawab store check` says what is wrong", "the last write to the store failed")
	}
	if slow := d.engine.Load().Networks.Slow(); len(slow) > 0 {
		add(appliance.WarnNoAcceleration, "reading takes several times as long; `bawab doctor` tells more",
			"these networks run without their fast kernels: %s", strings.Join(slow, ", "))
	}
	if len(d.keys.List()) == 0 {
		add(appliance.WarnNoKeys, "make a key with `bawab keys add NAME --scopes ocr,face`", "there is no API key, so every request is refused")
	}
	if d.certificate != nil {
		w = append(w, d.certificate.Warnings()...)
	}
	if err := d.check.problem(); err != nil {
		add(appliance.WarnSelfCheck, "`bawab doctor` looks closer; under systemd the daemon is started again when it cannot read", "the last self-check failed: %v", err)
	}
	if at, by := d.clock.jump(time.Now()); by != 0 {
		add(appliance.WarnClock, "documents expire by it: compare it with a watch", "the clock jumped by %v, or the machine slept, until %s",
			by.Round(time.Second), when(at))
	}
	return append(w, d.cameraWarnings()...)
}
