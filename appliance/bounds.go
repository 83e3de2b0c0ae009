package appliance

import (
	"time"
)

// MaxAge is how long a transaction lives after its first request at the latest, however often it is renewed, where nobody says
// otherwise.
const MaxAge = 24 * time.Hour

// What a transaction holds at most. A check of one person takes a few of each; the limits bound what a request costs that reads
// them all. Records without a document or a face count as well.
const (
	MostDocuments   = 32
	MostFaceResults = 64
)

// EndOf returns when a transaction ends that began at created and is renewed now.
func EndOf(created, now time.Time, ttl, maxAge time.Duration) time.Time {
	end, latest := now.Add(ttl), created.Add(maxAge)
	if latest.Before(end) {
		return latest
	}
	return end
}

// Room answers CodeTransactionFull where the transaction cannot take so many documents or face results more.
func (t *Transaction) Room(documents, faces int) error {
	for _, r := range t.Records {
		documents += len(r.Documents)
		if r.Match != nil || r.Liveness != nil {
			faces++
		}
	}
	if documents > MostDocuments || faces > MostFaceResults || len(t.Records) >= MostDocuments+MostFaceResults {
		return Errorf(CodeTransactionFull, "the transaction holds as much as it may: begin a new one")
	}
	return nil
}

// Owner is the name of the API key that began the transaction, "" where nobody noted it.
func (t *Transaction) Owner() string {
	if len(t.Records) == 0 {
		return ""
	}
	return t.Records[0].Key
}
