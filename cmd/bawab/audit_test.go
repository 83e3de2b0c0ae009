package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/models"
	"github.com/bawab/bawab/models/pack"
	"github.com/bawab/bawab/store"
)

// trialShelf is a shelf with version 5 on trial, which a daemon has begun.
func trialShelf(t *testing.T) *pack.Shelf {
	t.Helper()
	content := []byte("network")
	sum := sha256.Sum256(content)
	manifest, err := json.Marshal(map[string]any{"version": 5, "models": []models.Model{{
		Name: "a", File: "a.tflite", SHA256: hex.EncodeToString(sum[:]),
		Input:  models.Tensor{Name: "in", Shape: []int{1, 2}, Type: "int8", Scale: 1},
		Output: models.Tensor{Name: "out", Shape: []int{1, 2}, Type: "int8", Scale: 1},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := pack.Write(&b, fstest.MapFS{"manifest.json": {Data: manifest}, "a.tflite": {Data: content}}, private); err != nil {
		t.Fatal(err)
	}
	shelf := pack.NewShelf(t.TempDir(), public, 1)
	dir, info, err := shelf.Stage(&b)
	if err == nil {
		err = shelf.Adopt(dir, info)
	}
	if err != nil {
		t.Fatal(err)
	}
	if o, err := shelf.Begin(t.Context()); err != nil || o.Version != 5 || !o.Trial {
		t.Fatalf("got %+v, %v", o, err)
	}
	return shelf
}

// The trial of a model set ends after its time, is tried again after a stop in order, and stays begun where the daemon never
// came up: then the next start goes back.
func TestTrialOfModels(t *testing.T) {
	for name, tt := range map[string]struct {
		after        time.Duration
		ready        bool
		trial, begun bool
	}{
		"passed":         {time.Nanosecond, true, false, false},
		"stopped before": {time.Hour, true, true, false},
		"never came up":  {time.Hour, false, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			shelf := trialShelf(t)
			d := &daemon{trial: newModelTrial(slog.New(slog.DiscardHandler))}
			d.ready.Store(tt.ready)
			d.trial.begin(shelf, 5, tt.after)
			for deadline := time.Now().Add(patience); tt.after < time.Second; {
				st, err := shelf.State()
				if err != nil || time.Now().After(deadline) {
					t.Fatalf("the trial does not end: %+v, %v", st, err)
				}
				if !st.Trial {
					break
				}
			}
			if err := d.endTrial(); err != nil {
				t.Fatal(err)
			}
			st, err := shelf.State()
			if err != nil || st.Trial != tt.trial || st.Begun != tt.begun {
				t.Errorf("the state is %+v, %v", st, err)
			}
		})
	}
}

// An answered request is in the journal though the daemon is killed right after, and is found by the id of its transaction,
// with the daemon and without it, and by no other. Once a bit of it has changed, the doctor says so also while no daemon runs.
func TestJournalOfDaemon(t *testing.T) {
	dir := t.TempDir()
	p := startProgram(t, dir)
	r := p.mustPost(appliance.EndpointPassport, map[string]any{"image": samplePassport(t)})
	id, _ := r.Data["transaction_id"].(string)
	request, _ := r.Data["request_id"].(string)
	if id == "" || request == "" {
		t.Fatalf("got %+v", r)
	}
	export := func(transaction string) string {
		return p.command("audit", "export", "--data", dir, "--transaction", transaction)
	}
	found := export(id)
	if strings.Count(found, "\n") != 0 || !strings.Contains(found, "ocr/passport") || !strings.Contains(found, "request="+request) {
		t.Errorf("found %q", found)
	}
	if other := export(appliance.NewGUID()); other != "" {
		t.Errorf("another transaction finds %q", other)
	}
	p.stop(syscall.SIGKILL)
	if again := export(id); again != found {
		t.Errorf("after the kill %q is found", again)
	}
	text, err := os.ReadFile(filepath.Join(dir, "audit", "00000001.log"))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range r.Data {
		if s, ok := value.(string); ok && len(s) > 4 && name != "request_id" && strings.Contains(string(text), s) {
			t.Errorf("the journal holds the %s of the answer", name)
		}
	}
	p.command("audit", "verify", "--data", dir)
	if page := doctorPage(t, dir); !strings.Contains(page, "ok   journal") {
		t.Errorf("the whole journal is not named in\n%s", page)
	}
	text[len(text)/2] ^= 1
	if err := os.WriteFile(filepath.Join(dir, "audit", "00000001.log"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	if page := doctorPage(t, dir); !strings.Contains(page, "FAIL journal") {
		t.Errorf("the changed journal is not named in\n%s", page)
	}
}

// doctorPage is what the doctor says of a data folder, whether all is well or not.
func doctorPage(t *testing.T, dir string) string {
	t.Helper()
	var out strings.Builder
	_ = run(t.Context(), &terminal{in: strings.NewReader(""), out: &out, errs: &out}, []string{"doctor", "--data", dir})
	return out.String()
}

// BenchmarkDecision measures what a durable decision costs: a record in a transaction of its own and, where the name says
// so, its entry in the journal.
func BenchmarkDecision(b *testing.B) {
	for _, tt := range []struct {
		name      string
		callers   int
		journaled bool
	}{{"1 caller", 1, false}, {"1 caller, journaled", 1, true}, {"16 callers", 16, false}, {"16 callers, journaled", 16, true}} {
		b.Run(tt.name, func(b *testing.B) {
			dir := b.TempDir()
			s := store.New(store.Config{Dir: dir})
			if err := s.Open(b.Context()); err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			j, err := openJournal(b.Context(), &configs.Config{Data: dir}, s, nil)
			if err != nil {
				b.Fatal(err)
			}
			defer j.Close()
			record := appliancetest.SampleRecord(1)
			decide := func() error {
				id := appliance.NewGUID()
				if err := s.Append(b.Context(), id, record); err != nil || !tt.journaled {
					return err
				}
				return j.Note(b.Context(), appliance.Decision{Endpoint: record.Endpoint, RequestID: id, TransactionID: id, Documents: record.Documents}.Entry())
			}
			var left atomic.Int64
			left.Store(int64(b.N))
			done := make(chan error, tt.callers)
			b.ResetTimer()
			for range tt.callers {
				go func() {
					for left.Add(-1) >= 0 {
						if err := decide(); err != nil {
							done <- err
							return
						}
					}
					done <- nil
				}()
			}
			for range tt.callers {
				if err := <-done; err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "decisions/s")
		})
	}
}
