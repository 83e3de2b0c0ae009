package main

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
)

// A full disk is answered 503 and harms nothing: what was there stays, erasing works with no byte free, and with room again the daemon
// goes on.
func TestDiskFull(t *testing.T) {
	disk, err := appliancetest.SmallDisk(t, "4m")
	if err != nil {
		t.Skip(err)
	}
	dir := filepath.Join(disk, "data")
	p := startProgram(t, dir)
	ask := map[string]any{"image": samplePassport(t)}
	first := p.mustPost(appliance.EndpointPassport, ask)
	if first.Status != http.StatusOK {
		t.Fatalf("got %+v with room on the disk", first)
	}
	var spare []string
	for range 5 {
		id, _ := p.mustPost(appliance.EndpointPassport, ask).Data["transaction_id"].(string)
		spare = append(spare, id)
	}
	filler := filepath.Join(disk, "filler")
	appliancetest.Fill(t, filler)
	// Free pages inside the file serve a few more requests; then there is no room.
	full := false
	for range 2000 {
		r := p.mustPost(appliance.EndpointPassport, ask)
		if r.Status == http.StatusServiceUnavailable && r.Code == 503 {
			full = true
			break
		}
		if r.Status != http.StatusOK {
			t.Fatalf("got %+v on the way to a full disk", r)
		}
	}
	if !full {
		t.Fatal("the disk never got full: the test did not do its work")
	}
	appliancetest.Fill(t, filepath.Join(disk, "rest"))
	for _, id := range spare {
		if out := p.command("store", "erase", id, "--data", dir); !strings.HasPrefix(out, "erased: ") {
			t.Errorf("erasing with no byte free: %q", out)
		}
	}
	if out := p.command("audit", "export", "--data", dir); strings.Count(out, "store.erased") != len(spare) {
		t.Errorf("the journal says\n%s", out)
	}
	if err = errors.Join(os.Remove(filler), os.Remove(filepath.Join(disk, "rest"))); err != nil {
		t.Fatal(err)
	}
	if r := p.mustPost(appliance.EndpointPassport, ask); r.Status != http.StatusOK {
		t.Errorf("got %+v with room again", r)
	}
	face := map[string]any{"image": ask["image"], "transaction_id": first.Data["transaction_id"]}
	if r := p.mustPost(appliance.EndpointFaceMatch, face); r.Code != int(appliance.CodeFaceUnclear) {
		t.Errorf("got %+v for the transaction from before", r)
	}
	if out := p.command("store", "check", "--data", dir); !strings.HasPrefix(out, "ok") {
		t.Errorf("store check says %q", out)
	}
}
