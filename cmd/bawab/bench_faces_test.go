package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/configs"
)

// The endpoints that compare faces are measured by every form of their name, and others stay what they were.
func TestBenchEndpoint(t *testing.T) {
	for name, want := range map[string]appliance.Endpoint{
		"face/match": appliance.EndpointFaceMatch, "ocr/face/match": appliance.EndpointFaceMatch, "/v1/ocr/liveness/multi": appliance.EndpointLiveness,
		"passport": appliance.EndpointPassport, "nothing": "",
	} {
		if got, err := benchEndpoint(name); got != want || (err != nil) != (want == "") {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
}

// A measured face match has its stages with the work of the networks in each, within the budget of half a GMAC, and its figures are
// those of a request that was answered.
func TestBenchFaceMatch(t *testing.T) {
	e, err := openEngine(t.Context(), configs.Picture{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	picture, err := os.ReadFile(filepath.Join("..", "..", sampleFace))
	if err != nil {
		t.Fatal(err)
	}
	s := appliancetest.NewTransactions(time.Hour, time.Now)
	c, err := newComparison(e, s, appliance.NewQueue(1, 1), appliance.EndpointFaceMatch, picture)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.once(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	macs, names := int64(0), ""
	for _, stage := range got.stages {
		macs, names = macs+stage.MACs, names+stage.Name+" "
	}
	if names != "decode find_face embed store " || macs == 0 || macs > 500_000_000 || got.total <= 0 {
		t.Errorf("stages %s, %d MAC, %v", names, macs, got.total)
	}
}
