package measure

import (
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/eval/bench"
)

// The endpoints that compare faces are measured by every form of their name, and others stay what they were.
func TestBenchEndpoint(t *testing.T) {
	for name, want := range map[string]appliance.Endpoint{
		"face/match": appliance.EndpointFaceMatch, "ocr/face/match": appliance.EndpointFaceMatch,
		"/v1/ocr/liveness/multi": appliance.EndpointLiveness,
		"passport":               appliance.EndpointPassport, "nothing": "",
	} {
		if got, err := parseEndpoint(name, bench.Endpoints()); got != want || (err != nil) != (want == "") {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
}
