package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/access"
	"github.com/bawab/bawab/appliance/httpapi/control"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/daemon/doctor"
	"github.com/bawab/bawab/systemd"
	"golang.org/x/sys/unix"
)

// policyOf is who may call and how often, by the configuration.
func policyOf(cfg *configs.Config) (access.Policy, error) {
	allow, err := access.ParseAllow(cfg.HTTP.Allow)
	if err != nil {
		return access.Policy{}, err
	}
	metrics, err := access.ParseAllow(cfg.HTTP.MetricsAllow)
	return access.Policy{
		Allow:              allow,
		Metrics:            metrics,
		Origins:            cfg.HTTP.Origins,
		RequestsPerMinute:  cfg.HTTP.RequestsPerMinute,
		WrongKeysPerMinute: cfg.HTTP.BadKeysPerMinute,
	}, err
}

// setLevel puts the level of the log to that of the configuration.
func setLevel(level *slog.LevelVar, c configs.Log) {
	var l slog.Level
	if l.UnmarshalText([]byte(c.Level)) == nil { // configs allows only names that slog knows
		level.Set(l)
	}
}

// reloadable reports whether a running daemon takes a key over. What the rest of the keys decide was built at the start.
func reloadable(path string) bool {
	return strings.HasPrefix(path, "tls.") ||
		slices.Contains(
			[]string{"http.allow", "http.metrics_allow", "http.origins", "http.requests_per_minute", "http.bad_keys_per_minute", "log.level"},
			path,
		)
}

// reload reads the configuration and the certificate again and takes over what may change while requests run, all of
// it or, after an error, nothing. No connection notices.
func (d *daemon) reload() (control.Reloaded, error) {
	d.reloading.Lock()
	defer d.reloading.Unlock()
	d.tell(reloadingState())
	defer d.tell("READY=1")
	r, err := d.takeOver()
	if err != nil {
		msg, hints := doctor.Explain(err)
		d.log.Error("the configuration was not reloaded, the old one stays", "error", msg, "hints", hints)
		return r, &appliance.Error{Code: appliance.CodeBadRequest, Op: "reload", Msg: msg, Hint: strings.Join(hints, "\n")}
	}
	before := d.engine.Load()
	_, refused := d.switchNow() // it tells the log
	if d.engine.Load() != before {
		r.Taken = append(r.Taken, "models")
	}
	d.log.Info("reloaded", "taken", r.Taken)
	d.noteReload(r)
	if len(r.Restart) > 0 {
		d.log.Warn("these keys have changed too and need a restart", "keys", r.Restart)
	}
	return r, refused
}

// noteReload puts the keys that were taken over into the journal, as many as an entry holds, without their values.
func (d *daemon) noteReload(r control.Reloaded) {
	detail := map[string]string{}
	for _, path := range r.Taken[:min(len(r.Taken), 16)] {
		detail[path] = "taken"
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := d.journal.Note(ctx, appliance.Entry{Kind: appliance.EntryConfiguration, Detail: detail}); err != nil {
		d.log.Error("the reload is not in the journal", "error", err)
	}
}

func (d *daemon) takeOver() (r control.Reloaded, err error) {
	next, err := d.again()
	if err != nil {
		return r, err
	}
	policy, err := policyOf(next)
	if err != nil {
		return r, err
	}
	if d.certificate != nil {
		// The address is the one that the daemon listens on, whatever the new configuration says.
		c := *next
		c.Listen = d.cfg.Listen
		if err := d.certificate.Reload(CertificateConfig(&c)); err != nil {
			return r, err
		}
	}
	d.server.SetPolicy(policy)
	setLevel(d.level, next.Log)
	for _, path := range configs.Changed(d.loaded, next) {
		if reloadable(path) {
			r.Taken = append(r.Taken, path)
		}
	}
	for _, path := range configs.Changed(d.cfg, next) {
		if !reloadable(path) {
			r.Restart = append(r.Restart, path)
		}
	}
	d.loaded = next
	return r, nil
}

// tell tells the service manager about the state of the daemon; that it did not hear is worth a line and no more.
func (d *daemon) tell(state string) {
	if err := systemd.Notify(d.environ, state); err != nil {
		d.log.Warn("systemd was not told", "state", state, "error", err)
	}
}

// reloadingState is what systemd hears while the daemon reloads. It wants the time by the kernel's clock.
func reloadingState() string {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return "RELOADING=1"
	}
	return fmt.Sprintf("RELOADING=1\nMONOTONIC_USEC=%d", now.Nano()/int64(time.Microsecond))
}
