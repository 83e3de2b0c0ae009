package appliance_test

import (
	"context"
	"errors"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/google/go-cmp/cmp"
)

// journalOf collects entries, or fails.
type journalOf struct {
	entries []appliance.Entry
	err     error
}

func (j *journalOf) Note(_ context.Context, e appliance.Entry) error {
	if j.err != nil {
		return j.err
	}
	j.entries = append(j.entries, e)
	return nil
}

// The entry of a decision holds kinds, verdicts and codes, and passes the check, however many documents there were; what
// was read is not in it.
func TestDecisionEntry(t *testing.T) {
	no := false
	document := appliance.Document{
		Kind: appliance.NationalIDFront, Fields: []appliance.Field{{Name: "name", Value: "منى"}},
		Validations: []appliance.Validation{{Field: "name", Value: "منى", Errors: []appliance.Code{3301, 3302}}, {Errors: []appliance.Code{3301}}},
	}
	d := appliance.Decision{
		Endpoint: appliance.EndpointMulti, RequestID: "r", TransactionID: "t", Key: "kiosk", Matched: &no,
		Documents: []appliance.Document{document, {Kind: appliance.Passport, Fake: true}},
	}
	want := appliance.Entry{Kind: appliance.EntryDecision, Subject: "ocr/multi", Transaction: "t", Detail: map[string]string{
		"request": "r", "key": "kiosk", "code": "0", "doc_type": "national_id_front,passport", "fake": "true", "validations": "3301,3302", "is_matched": "false",
	}}
	if diff := cmp.Diff(want, d.Entry()); diff != "" {
		t.Error(diff)
	}
	for range 100 {
		d.Documents = append(d.Documents, document)
	}
	if err := d.Entry().Check(); err != nil {
		t.Error(err)
	}
	failed := appliance.Decision{Endpoint: appliance.EndpointFaceMatch, RequestID: "r", Code: appliance.CodeNoFace}.Entry()
	if diff := cmp.Diff(map[string]string{"request": "r", "code": "4207"}, failed.Detail); diff != "" {
		t.Error(diff)
	}
}

// Keys that come and go are noted, and a key that could not be noted is not left behind.
func TestJournaledKeys(t *testing.T) {
	memory, j := appliancetest.NewKeys(), &journalOf{}
	keys := appliance.JournaledKeys(memory, j)
	kiosk := appliancetest.SampleKey("kiosk")
	if err := errors.Join(keys.AddKey(t.Context(), kiosk), keys.RevokeKey(t.Context(), "kiosk")); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range j.entries {
		if err := e.Check(); err != nil {
			t.Error(err)
		}
		got = append(got, string(e.Kind)+" "+e.Subject)
	}
	if diff := cmp.Diff([]string{"key.added kiosk", "key.revoked kiosk"}, got); diff != "" {
		t.Error(diff)
	}
	j.err = appliance.Errorf(appliance.CodeUnavailable, "full")
	if err := keys.AddKey(t.Context(), kiosk); appliance.CodeOf(err) != appliance.CodeUnavailable {
		t.Errorf("got %v from a journal that cannot write", err)
	}
	if left, err := memory.Keys(t.Context()); err != nil || len(left) != 0 {
		t.Errorf("keys %v, %v are left", left, err)
	}
	if err := keys.RevokeKey(t.Context(), "other"); appliance.CodeOf(err) != appliance.CodeNotFound {
		t.Errorf("got %v for a key that is not there", err)
	}
}
