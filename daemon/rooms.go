package daemon

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/certificate"
	"github.com/bawab/bawab/appliance/httpapi/browser"
	"github.com/bawab/bawab/daemon/journal"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/models"
	"github.com/bawab/bawab/models/pack"
	"github.com/bawab/bawab/store/audit"
)

// rooms are what the rooms of the console show of the daemon.
func (d *daemon) rooms() *browser.Rooms {
	return &browser.Rooms{
		Settings: d.roomSettings, Camera: d.roomCamera, Models: d.roomModels, CheckModels: d.roomCheckModels, RollBackModels: d.roomRollBack,
		VerifyJournal: d.roomVerify, ExportJournal: d.roomExport, Authority: d.roomAuthority,
	}
}

// roomSettings lists the configuration as it was loaded last, and says in a language what each key means and takes.
func (d *daemon) roomSettings(l appliance.Language) (list []browser.RoomSetting) {
	d.reloading.Lock()
	defer d.reloading.Unlock()
	for _, s := range d.loaded.Settings() {
		list = append(list, browser.RoomSetting{
			Path: s.Path, Value: s.Value, Fallback: s.Fallback,
			Allowed: appliance.Phrasef(s.Allowed.Format, s.Allowed.Args...).In(l), Meaning: appliance.Phrasef(s.Meaning).In(l),
			Origin: string(s.Origin), Restart: !reloadable(s.Path),
		})
	}
	return list
}

func (d *daemon) roomCamera() browser.RoomCamera {
	c := d.cfg.Camera
	return browser.RoomCamera{
		Configured: c.Device != "", Recording: c.Replay() != "", Device: c.Device, Rotate: c.Rotate, Width: c.Width, Height: c.Height, FPS: c.FPS,
		GapMinMS: c.GapMin.Milliseconds(), GapMaxMS: c.GapMax.Milliseconds(),
	}
}

// roomModels lists the sets that there are and the cards of the networks in use.
func (d *daemon) roomModels(l appliance.Language) (r browser.RoomModels, err error) {
	shelf, embedded, err := Shelf(d.cfg)
	if err != nil {
		return r, err
	}
	st, err := shelf.State()
	if err != nil {
		return r, err
	}
	named := func(v uint64) string {
		if v == 0 {
			return ""
		}
		return SetName(v)
	}
	set, err := d.wholeSet(shelf, embedded)
	if err != nil {
		return r, err
	}
	r = browser.RoomModels{
		Version: modelSetName(set), Program: modelSetName(embedded), Previous: named(st.Previous), Trial: st.Trial,
		Failed: named(st.Failed), Why: appliance.Phrasef(st.Why).In(l), Kinds: []string{},
	}
	used := d.engine.Load()
	if c := used.Calibration; c.Brought {
		r.Calibration = c.Date + ", SHA-256 " + c.SHA256
	}
	for _, k := range used.Kinds() {
		r.Kinds = append(r.Kinds, string(k.Kind))
	}
	for _, m := range set.List() {
		r.Networks = append(r.Networks, cardOf(m))
	}
	return r, nil
}

// wholeSet is the set in use with the bytes of its networks, which the one that is at work has given up.
func (d *daemon) wholeSet(shelf *pack.Shelf, embedded *models.Set) (*models.Set, error) {
	if used := d.engine.Load().Set.Version(); used != embedded.Version() {
		return shelf.Open(used)
	}
	return embedded, nil
}

// cardOf is what the manifest says of a network.
func cardOf(m models.Model) browser.RoomModel {
	sides := make([]string, len(m.Input.Shape))
	for i, n := range m.Input.Shape {
		sides[i] = fmt.Sprint(n)
	}
	card := browser.RoomModel{
		Name: m.Name, SHA256: m.SHA256, Input: strings.Join(sides, " × "), Bytes: len(m.Bytes), MACs: m.MACs, Provenance: m.Provenance,
		Thresholds: []browser.RoomThreshold{},
	}
	for _, name := range slices.Sorted(maps.Keys(m.Thresholds)) {
		t := m.Thresholds[name]
		origin := strings.Join([]string{t.DataSet, t.Date, t.Budget}, "; ")
		card.Thresholds = append(card.Thresholds, browser.RoomThreshold{Name: name, Value: t.Value, Origin: origin})
	}
	return card
}

// roomCheckModels reads the reference pictures with the set in use. A picture that comes out differently is told, and no error.
func (d *daemon) roomCheckModels(ctx context.Context, l appliance.Language) (list []browser.RoomReading, err error) {
	shelf, embedded, err := Shelf(d.cfg)
	if err != nil {
		return nil, err
	}
	set, err := d.wholeSet(shelf, embedded)
	if err != nil {
		return nil, err
	}
	failed := false
	tell := func(picture string, err error) {
		found := browser.RoomReading{Picture: picture, OK: err == nil}
		if err != nil {
			failed, found.Detail = true, appliance.Joined("", err).In(l)
		}
		list = append(list, found)
	}
	err = engine.CheckSet(ctx, set, tell)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil && !failed {
		tell("", err)
	}
	return list, nil
}

// journalCheck is what the journal of the running daemon is verified with.
func (d *daemon) journalCheck(ctx context.Context) (c audit.Check, err error) {
	keys, err := d.journal.JournalKeys(ctx)
	if err != nil {
		return c, err
	}
	public, err := journal.PublicKey(keys.Public)
	return audit.Check{Dir: d.cfg.Data, Public: []ed25519.PublicKey{public}, Kept: keys.Head, Live: true}, err
}

// journalStep is after how many entries, or how long, a verification tells where it is.
const (
	journalStep = 2000
	journalBeat = 300 * time.Millisecond
)

func (d *daemon) roomVerify(ctx context.Context, l appliance.Language, seen func(int)) (out browser.RoomJournal, err error) {
	c, err := d.journalCheck(ctx)
	if err != nil {
		return out, err
	}
	entries, told := 0, time.Now()
	r, err := audit.Walk(ctx, c, time.Time{}, time.Time{}, func(audit.Record) error {
		if entries++; entries%journalStep == 0 && time.Since(told) > journalBeat {
			told = time.Now()
			seen(entries)
		}
		return ctx.Err()
	})
	if err != nil {
		return out, err
	}
	out = browser.RoomJournal{
		Entries: r.Entries, Segments: r.Segments, Pruned: r.Pruned, Since: r.Since, Until: r.Until, Last: r.Last.String(), Problems: []string{},
	}
	for _, p := range r.Problems {
		out.Problems = append(out.Problems, p.In(l))
	}
	return out, nil
}

func (d *daemon) roomExport(ctx context.Context, w io.Writer) error {
	c, err := d.journalCheck(ctx)
	if err != nil {
		return err
	}
	_, err = audit.Walk(ctx, c, time.Time{}, time.Time{}, func(r audit.Record) error {
		text, err := json.Marshal(r)
		if err != nil {
			return fmt.Errorf("write entry: %w", err)
		}
		_, err = w.Write(append(text, '\n'))
		return err
	})
	return err
}

// roomAuthority is the certificate of the own authority, nil where none signed what clients are shown.
func (d *daemon) roomAuthority() []byte {
	if d.certificate == nil || !d.certificate.Info().Own {
		return nil
	}
	text, err := certificate.Authority(CertificateConfig(d.cfg))
	if err != nil {
		return nil
	}
	return text
}
