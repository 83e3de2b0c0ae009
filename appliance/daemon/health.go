package daemon

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/store"
)

// reviewWarnings says that pictures which should have been kept were not, as long as there is no room for more.
func (d *daemon) reviewWarnings() []appliance.Warning {
	reviews, used, most := d.store.ReviewRoom()
	if used < most/10*9 && !d.unkept.Load() {
		return nil
	}
	if used < most/2 {
		d.unkept.Store(false)
		return nil
	}
	return []appliance.Warning{{
		Code: appliance.WarnReviewFull,
		Msg: words.Count(
			reviews,
			"review",
			"reviews",
		) + " take " + words.Size(
			used,
		) + " of the " + words.Size(
			most,
		) + " that pictures for review may",
		Hint: "confirm and erase some, keep a smaller share with review.share, or raise review.room",
	}}
}

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
	w = append(w, d.drift.Warnings()...)
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
			by.Round(time.Second), words.When(at))
	}
	return append(w, d.cameraWarnings()...)
}

// branchWarnings lists what is wrong with the cluster for the time being.
func (d *daemon) branchWarnings() []appliance.Warning {
	if d.branch == nil {
		return nil
	}
	w := appliance.Warning{Code: appliance.WarnCluster, Hint: "`bawab doctor` shows every member of the cluster"}
	if err := d.branch.Healthy(); err != nil {
		w.Msg = "the cluster of the branch takes no records, and requests that need it are answered 503: " + words.OneLine(err.Error())
		return []appliance.Warning{w}
	}
	if lost := d.branch.Lost(); len(lost) > 0 {
		w.Msg = "members of the branch's cluster do not answer, nothing is lost: " + strings.Join(lost, ", ")
		return []appliance.Warning{w}
	}
	return nil
}

// keyPending is the warning about a new appliance key that is not in its place; nothing where it is.
func keyPending(s *store.Store) []appliance.Warning {
	path := s.KeyPending()
	if path == "" {
		return nil
	}
	return []appliance.Warning{{
		Code: appliance.WarnKeyPending, Msg: "the new appliance key is not in its place yet, and the old one still opens the database",
		Hint: "put the new key at " + path + " (or where that comes from), then restart the daemon",
	}}
}
