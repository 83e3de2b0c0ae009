package camera

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/proof"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/bawab/bawab/camera/replay"
)

// alive finds one living person in every burst.
type alive struct{}

func (alive) Embed(context.Context, *appliance.Picture, appliance.Face) (appliance.Embedding, error) {
	return appliance.Embedding{1}, nil
}
func (alive) Model() string                               { return "net" }
func (alive) Similarity(a, b appliance.Embedding) float64 { return 1 }
func (alive) Threshold() float64                          { return 0.5 }
func (alive) JudgeFrame(context.Context, *appliance.Picture) (appliance.Guidance, error) {
	return appliance.GuideReady, nil
}

func (alive) Judge(context.Context, []*appliance.Picture) (appliance.BurstFindings, error) {
	return appliance.BurstFindings{Score: 1, Embeddings: [3]appliance.Embedding{{1}, {1}, {1}}}, nil
}

// capturer is a whole liveness check over a camera; its one transaction is id.
func capturer(t *testing.T, c *Camera) (k *usecase.Capturer, id string) {
	t.Helper()
	store := appliancetest.NewTransactions(time.Hour, time.Now)
	id = appliance.NewGUID()
	portrait := &appliance.Portrait{Embedding: appliance.Embedding{1}, Model: "net"}
	if err := store.Append(t.Context(), id, appliance.Record{Documents: []appliance.Document{{Kind: appliance.Passport, Portrait: portrait}}}); err != nil {
		t.Fatal(err)
	}
	identity, err := proof.NewIdentity(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	return usecase.NewCapturer(usecase.CapturerDeps{
		Appliance: usecase.New(usecase.Deps{
			Decoder: appliancetest.PictureDecoder{}, Transactions: store, Queue: queue.New(1, 1), Now: time.Now,
			Networks: usecase.Networks{Faces: usecase.Faces{Matcher: alive{}, Judge: alive{}}, FaceGuide: alive{}},
		}),
		Camera: c, Identity: identity,
		Rule: usecase.BurstRule{Least: 150 * time.Millisecond, Most: 400 * time.Millisecond}, Budget: 5 * time.Second, Viewers: 1, Now: time.Now,
	}), id
}

// A liveness check on a camera that misbehaves in the middle of the burst ends in time: with the name of what is wrong, or with
// three frames that keep the rule after all. Nothing is left open.
func TestCaptureFromBadCamera(t *testing.T) {
	const mid = 8 // a quarter of a second into the burst
	for _, tt := range []struct {
		name   string
		faults []replay.Fault
		want   string // condition in the error, "" when the check succeeds
		within time.Duration
	}{
		{"sound", nil, "", 500 * time.Millisecond},
		{"unplugged", []replay.Fault{{Kind: replay.Unplug, At: mid, Times: 9}}, "camera_lost", 500 * time.Millisecond},
		{"busy", []replay.Fault{{Kind: replay.Busy, Times: 9}}, "camera_busy", 100 * time.Millisecond},
		{"frozen", []replay.Fault{{Kind: replay.Freeze, At: mid, Times: 500}}, "camera_frozen", 600 * time.Millisecond},
		{"old frames", []replay.Fault{{Kind: replay.Late, At: mid, Times: 500, By: 2 * time.Second}}, "camera_stale", 600 * time.Millisecond},
		{"silent", []replay.Fault{{Kind: replay.Silence, At: mid}}, "camera_stale", 3 * time.Second},
		{"silent for a moment", []replay.Fault{{Kind: replay.Silence, At: mid, By: time.Second}}, "", 2 * time.Second},
		{"damaged for a moment", []replay.Fault{{Kind: replay.Damage, At: mid, Times: 3}}, "", time.Second},
		{"a clock that jumps back", []replay.Fault{{Kind: replay.Jump, At: mid, By: -300 * time.Millisecond}}, "", time.Second},
		{"a clock that jumps ahead", []replay.Fault{{Kind: replay.Jump, At: mid, By: 300 * time.Millisecond}}, "camera_clock", 600 * time.Millisecond},
		{"a clock of its own", []replay.Fault{{Kind: replay.Jump, At: 1, By: -2 * time.Hour}}, "camera_clock", 300 * time.Millisecond},
	} {
		t.Run(tt.name, func(t *testing.T) {
			play(t, tt.faults, func(t *testing.T, c *Camera) {
				k, id := capturer(t, c)
				began := time.Now()
				out, err := k.Liveness(t.Context(), usecase.Comparison{RequestID: "r", TransactionID: id})
				if took := time.Since(began); took > tt.within {
					t.Errorf("it took %v", took)
				}
				if tt.want != "" {
					if appliance.CodeOf(err) != appliance.CodeUnavailable || err == nil || !strings.Contains(err.Error(), tt.want) {
						t.Errorf("%v, want %s", err, tt.want)
					}
					return
				}
				if err != nil || !out.IsLive || len(out.Frames) != 3 {
					t.Fatalf("%+v, %v", out.Reasons, err)
				}
				for _, gap := range out.Gaps {
					if gap < 150*time.Millisecond || gap > 400*time.Millisecond {
						t.Errorf("gaps %v", out.Gaps)
					}
				}
				if _, err := out.Proof.Open(nil); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
