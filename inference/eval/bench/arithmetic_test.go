package bench

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference/engine"
)

// The sample of each endpoint is read with no more arithmetic than testdata/bench.json keeps for it: a document that is sought or
// read more often than it was takes longer, though every answer stays right. A twentieth is allowed, since another processor rounds
// otherwise.
func TestBenchArithmetic(t *testing.T) {
	content, err := os.ReadFile(filepath.Join("testdata", "bench.json"))
	if err != nil {
		t.Fatal(err)
	}
	var kept benchReport
	if err := json.Unmarshal(content, &kept); err != nil {
		t.Fatal(err)
	}
	most := map[appliance.Endpoint]int64{}
	for _, r := range kept.Readings {
		most[appliance.Endpoint(r.Endpoint)] = r.MACs
	}
	e, err := engine.Open(t.Context(), configs.Picture{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	a := usecase.New(
		usecase.Deps{
			Decoder:  e.Decoder,
			Networks: usecase.Networks{Readers: e.Readers()},
			Queue:    queue.New(1, 0),
			Now:      time.Now,
			Holders:  engine.HolderRules(),
		},
	)
	for endpoint := range e.Readers() {
		picture, err := os.ReadFile(filepath.Join("..", "..", "..", sampleOf(endpoint)))
		if err != nil {
			t.Fatal(err)
		}
		got, err := once(t.Context(), a, endpoint, picture)
		if err != nil {
			t.Fatalf("%s: %v", endpoint, err)
		}
		macs := int64(0)
		for _, stage := range got.stages {
			macs += stage.MACs
		}
		if macs == 0 || macs > most[endpoint]+most[endpoint]/20 {
			t.Errorf("%s takes %d MAC, %d are kept", endpoint, macs, most[endpoint])
		}
	}
}
