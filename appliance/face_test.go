package appliance_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// An embedding comes back from its text exactly, and text that is none is refused.
func TestEmbeddingText(t *testing.T) {
	want := appliance.Portrait{Embedding: appliance.Embedding{0.1, -1e-20, 0, 1}, Model: "m"}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got appliance.Portrait
	if err := json.Unmarshal(text, &got); err != nil || !slices.Equal(got.Embedding, want.Embedding) {
		t.Errorf("%s: %v, %v", text, got, err)
	}
	for _, bad := range []string{`{"Embedding":"AAA="}`, `{"Embedding":"*"}`} {
		if json.Unmarshal([]byte(bad), &got) == nil {
			t.Errorf("%s was read", bad)
		}
	}
}
