package daemon

import (
	"errors"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/store"
)

// reviewWarnings says that there is hardly room for more pictures, or that the last one that should have been kept was not.
func (d *daemon) reviewWarnings() []appliance.Warning {
	reviews, used, most := d.store.ReviewRoom()
	if used < most/10*9 {
		lost := d.unkept.Load()
		if lost == nil {
			return nil
		}
		return []appliance.Warning{appliance.Warn(appliance.WarnReviewFull,
			appliance.Phrasef("the last picture for review was not kept: %s", words.OneLine((*lost).Error())),
			appliance.Phrasef("make room for reviews; the warning goes as soon as a picture is kept again"))}
	}
	said := appliance.Phrasef("%d reviews take %s of the %s that pictures for review may", reviews, words.Size(used), words.Size(most))
	if reviews == 1 {
		said = appliance.Phrasef("1 review takes %s of the %s that pictures for review may", words.Size(used), words.Size(most))
	}
	return []appliance.Warning{appliance.Warn(appliance.WarnReviewFull, said,
		appliance.Phrasef("confirm and erase some, keep a smaller share with review.share, or raise review.room"))}
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
	add := func(code appliance.WarningCode, said, way appliance.Phrase) {
		w = append(w, appliance.Warn(code, said, way))
	}
	if free, err := d.store.DiskFree(); err == nil && free < int64(d.cfg.Store.MinFree) {
		add(appliance.WarnDiskLow, appliance.Phrasef("only %s are free where the store lies", words.Size(free)),
			appliance.Phrasef("free some room on the disk of the data folder"))
	}
	w = append(w, keyPending(d.store)...)
	w = append(w, d.journal.Warnings()...)
	w = append(w, d.branchWarnings()...)
	w = append(w, d.reviewWarnings()...)
	w = append(w, d.drift.Warnings()...)
	if d.store.Healthy() != nil {
		add(appliance.WarnStoreFailing, appliance.Phrasef("the last write to the store failed"),
			appliance.Phrasef("`bawab store check` says what is wrong"))
	}
	if slow := d.engine.Load().Networks.Slow(); len(slow) > 0 {
		add(appliance.WarnNoAcceleration, appliance.Phrasef("these networks run without their fast kernels: %s", strings.Join(slow, ", ")),
			appliance.Phrasef("reading takes several times as long; `bawab doctor` tells more"))
	}
	if len(d.keys.List()) == 0 {
		add(appliance.WarnNoKeys, appliance.Phrasef("there is no API key, so every request is refused"),
			appliance.Phrasef("make a key with `bawab keys add NAME --scopes ocr,face`"))
	}
	if d.certificate != nil {
		w = append(w, d.certificate.Warnings()...)
	}
	if err := d.check.Problem(); err != nil {
		add(appliance.WarnSelfCheck, appliance.Phrasef("the last self-check failed: %v", err),
			appliance.Phrasef("`bawab doctor` looks closer; under systemd the daemon is started again when it cannot read"))
	}
	if at, by := d.clock.Jump(time.Now()); by != 0 {
		add(appliance.WarnClock,
			appliance.Phrasef("the clock jumped by %v, or the machine slept, until %s", by.Round(time.Second), words.When(at)),
			appliance.Phrasef("documents expire by it: compare it with a watch"))
	}
	return append(w, d.cameraWarnings()...)
}

// branchWarnings lists what is wrong with the cluster for the time being.
func (d *daemon) branchWarnings() []appliance.Warning {
	if d.branch == nil {
		return nil
	}
	way := appliance.Phrasef("`bawab doctor` shows every member of the cluster")
	if err := d.branch.Healthy(); err != nil {
		return []appliance.Warning{appliance.Warn(appliance.WarnCluster,
			appliance.Phrasef("the cluster of the branch takes no records, and requests that need it are answered 503: %s",
				words.OneLine(err.Error())), way)}
	}
	if lost := d.branch.Lost(); len(lost) > 0 {
		return []appliance.Warning{appliance.Warn(appliance.WarnCluster,
			appliance.Phrasef("members of the branch's cluster do not answer, nothing is lost: %s", strings.Join(lost, ", ")), way)}
	}
	return nil
}

// keyPending is the warning about a new appliance key that is not in its place; nothing where it is.
func keyPending(s *store.Store) []appliance.Warning {
	path := s.KeyPending()
	if path == "" {
		return nil
	}
	return []appliance.Warning{appliance.Warn(appliance.WarnKeyPending,
		appliance.Phrasef("the new appliance key is not in its place yet, and the old one still opens the database"),
		appliance.Phrasef("put the new key at %s (or where that comes from), then restart the daemon", path))}
}
