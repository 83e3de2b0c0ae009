package main

import (
	"encoding/base64"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// Sixty-four clients at once all get answers, some of them 503 and at once, none is lost, and the appliance reads as before
// afterwards.
func TestManyClients(t *testing.T) {
	p := startProgram(t, t.TempDir(), "BAWAB_QUEUE_WORKERS=2", "BAWAB_QUEUE_WAITING=8")
	raw, err := whitePNG(1200, 900)
	if err != nil {
		t.Fatal(err)
	}
	ask := map[string]any{"image": base64.StdEncoding.EncodeToString(raw)}
	const clients, each = 64, 3
	var read, refused atomic.Int32
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for range each {
				r, err := p.post(t.Context(), appliance.EndpointPassport, ask)
				switch {
				case err != nil:
					t.Errorf("lost: %v", err)
				case r.Code == int(appliance.CodeNoDocument):
					read.Add(1)
				case r.Status == http.StatusServiceUnavailable && r.Code == 503:
					refused.Add(1)
				default:
					t.Errorf("got %+v", r)
				}
			}
		})
	}
	all.Wait()
	if read.Load() == 0 || refused.Load() == 0 || read.Load()+refused.Load() != clients*each {
		t.Errorf("%d were read and %d refused of %d", read.Load(), refused.Load(), clients*each)
	}
	if r := p.mustPost(appliance.EndpointPassport, ask); r.Code != int(appliance.CodeNoDocument) {
		t.Errorf("got %+v afterwards", r)
	}
}
