package appliance

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Journal keeps what the appliance decided and what was done to it, so that nobody can change it unnoticed afterwards.
type Journal interface {
	// Note adds an entry. When it returns nil the entry is durable: a power cut loses nothing of it. A journal that cannot
	// write now answers CodeUnavailable.
	Note(ctx context.Context, e Entry) error
}

// Entry is one line of the journal. It holds no personal datum: no field that was read, no picture, no score of a face.
type Entry struct {
	// At is when it happened; the zero time stands for now.
	At   time.Time
	Kind EntryKind
	// Subject is what the entry is about: the endpoint of a decision, the name of an API key, the version of a model set.
	Subject string
	// Transaction is the id of the transaction, "" where there is none. It is never written: the journal keeps a keyed hash
	// of it, which only the appliance itself can compare with an id.
	Transaction string
	// Detail says more by names of its own. Names and values are checked by Check.
	Detail map[string]string
}

// Unnoted is the error where something is done, and stays done, that the journal could not note.
func Unnoted(done Phrase, err error) *Error {
	return Refusal(CodeUnavailable, "", Phrasef("%s, but the journal could not note it", done), Phrase{}, err)
}

// EntryKind says what an entry records.
type EntryKind string

// What happened to requests.
const (
	EntryDecision EntryKind = "decision" // an answered request of a known API key
	EntryRefused  EntryKind = "refused"  // how many requests of an API key, or of nobody known, were refused in a minute, by code
)

// What was done to the appliance.
const (
	EntryStart             EntryKind = "start" // detail unclean=true where the last run did not stop in order
	EntryStop              EntryKind = "stop"
	EntryKeyAdded          EntryKind = "key.added"
	EntryKeyRevoked        EntryKind = "key.revoked"
	EntryStoreErased       EntryKind = "store.erased"       // a transaction, by the operator or by the API key in detail key
	EntryTransactionSeen   EntryKind = "transaction.seen"   // an API key looked at all that a transaction holds
	EntryReviewSeen        EntryKind = "review.seen"        // a person looked at what a review holds: its values, a picture or a crop
	EntryReviewDecided     EntryKind = "review.decided"     // a person decided about one
	EntryReviewErased      EntryKind = "review.erased"      // reviews were destroyed before their days were over
	EntryDriftAcknowledged EntryKind = "drift.acknowledged" // an admin took the share that a series has now for what is to be expected
	EntryTruthExported     EntryKind = "truth.exported"     // what was confirmed was written to a truth set
	EntrySignedIn          EntryKind = "console.in"         // a person opened the console with an API key
	EntrySignedOut         EntryKind = "console.out"
	EntryKiosk             EntryKind = "kiosk.ended" // a check at a kiosk screen, by how it ended
	EntryStoreSaved        EntryKind = "store.backed_up"
	EntryStoreRestored     EntryKind = "store.restored"
	EntryStoreSalvaged     EntryKind = "store.salvaged"
	EntryStoreRotated      EntryKind = "store.rotated" // the appliance key
	EntryStoreCompact      EntryKind = "store.compacted"
	EntryConfiguration     EntryKind = "configuration.reloaded"
	EntryModels            EntryKind = "models.used"   // the set that a start took
	EntryModelsFailed      EntryKind = "models.failed" // a set was refused or given up
	EntryModelsInstalled   EntryKind = "models.installed"
	EntryModelsBack        EntryKind = "models.rolled_back"
	EntryClock             EntryKind = "clock.jumped"
	EntryTLSRenewed        EntryKind = "tls.renewed" // the own certificate, by the operator
	EntryTLS               EntryKind = "tls.used"    // the certificate that clients are shown from now on; made says why the daemon made it
)

// Lasting conditions of the journal.
const (
	WarnJournalFailing WarningCode = "journal_failing" // the last write to the journal failed
	WarnJournalDamaged WarningCode = "journal_damaged" // the journal was not as the appliance had left it
	WarnJournalLarge   WarningCode = "journal_large"   // the journal fills the room that it may take
)

// Limits of an entry, in bytes. They keep one line short and leave no room for what does not belong there.
const (
	maxEntryText  = 160
	maxEntryNames = 16
)

// Check finds what no entry may hold. Texts are printable ASCII without quotes, so that nothing read from a document fits
// in by mistake: names and addresses are Arabic.
func (e Entry) Check() error {
	if !entryName(string(e.Kind)) {
		return fmt.Errorf("note entry: kind %q is no name", e.Kind)
	}
	if !entryText(e.Subject) {
		return fmt.Errorf("note entry %s: the subject is no short ASCII text", e.Kind)
	}
	if len(e.Detail) > maxEntryNames {
		return fmt.Errorf("note entry %s: %d details, at most %d", e.Kind, len(e.Detail), maxEntryNames)
	}
	for name, value := range e.Detail {
		if !entryName(name) || !entryText(value) {
			return fmt.Errorf("note entry %s: detail %q is no short ASCII text", e.Kind, name)
		}
	}
	return nil
}

func entryName(s string) bool {
	return s != "" && len(s) <= 32 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789._") == ""
}

func entryText(s string) bool {
	return len(s) <= maxEntryText && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' })
}

// Decision is the outcome of one answered request. What the request did not decide stays nil or empty.
type Decision struct {
	Endpoint      Endpoint
	RequestID     string
	TransactionID string
	Key           string // name of the API key
	Code          Code   // of the whole answer, 0 for success
	Documents     []Document
	Reference     ReferenceChange // by the documents of the request
	Matched, Live *bool
	Reasons       []Reason
	Compared      Kind // of the document that faces were compared with
	Reviewed      bool // the pictures are kept for a person to look at
}

// Found is what the documents of the decision are: their kinds, the codes of their validations in rising order and each once, and whether
// one of them counts as fake.
func (d Decision) Found() (kinds []string, codes []Code, fake bool) {
	for i := range d.Documents {
		kinds = append(kinds, string(d.Documents[i].Kind))
		codes = append(codes, d.Documents[i].AllCodes()...)
		fake = fake || d.Documents[i].Fake
	}
	slices.Sort(codes)
	return kinds, slices.Compact(codes), fake
}

// Entry writes the decision as an entry: kinds and verdicts of the documents and the codes of their validations, and
// nothing of what they say.
func (d Decision) Entry() Entry {
	detail := map[string]string{"request": d.RequestID, "code": strconv.Itoa(int(d.Code))}
	if d.Key != "" {
		detail["key"] = d.Key
	}
	kinds, found, fake := d.Found()
	if len(kinds) > 0 {
		detail["doc_type"], detail["fake"] = firstOf(kinds), strconv.FormatBool(fake)
	}
	if len(found) > 0 {
		var codes []string
		for _, c := range found {
			codes = append(codes, strconv.Itoa(int(c)))
		}
		detail["validations"] = firstOf(codes)
	}
	if d.Reference != "" {
		detail["reference"] = string(d.Reference)
	}
	if len(d.Reasons) > 0 {
		var reasons []string
		for _, r := range d.Reasons {
			reasons = append(reasons, string(r))
		}
		detail["reasons"] = firstOf(reasons)
	}
	if d.Compared != "" {
		detail["compared_with"] = string(d.Compared)
	}
	if d.Matched != nil {
		detail["is_matched"] = strconv.FormatBool(*d.Matched)
	}
	if d.Reviewed {
		detail["reviewed"] = "true"
	}
	if d.Live != nil {
		detail["is_live"] = strconv.FormatBool(*d.Live)
	}
	return Entry{Kind: EntryDecision, Subject: string(d.Endpoint), Transaction: d.TransactionID, Detail: detail}
}

// firstOf joins words with commas, and as many of them as an entry has room for.
func firstOf(words []string) string {
	s := ""
	for i, w := range words {
		if len(s)+len(w)+len(",...") > maxEntryText {
			return s + ",..."
		}
		if i > 0 {
			s += ","
		}
		s += w
	}
	return s
}

// JournaledKeys returns a key store that notes which keys come and go. The uses of keys are not noted: each decision
// names its key.
func JournaledKeys(keys KeyStore, j Journal) KeyStore { return journaledKeys{keys, j} }

type journaledKeys struct {
	KeyStore
	journal Journal
}

// AddKey adds the key and notes it. A key that could not be noted is taken back.
func (s journaledKeys) AddKey(ctx context.Context, k Key) error {
	if err := s.KeyStore.AddKey(ctx, k); err != nil {
		return err
	}
	var scopes []string
	for _, scope := range k.Scopes {
		scopes = append(scopes, string(scope))
	}
	detail := map[string]string{"scopes": strings.Join(scopes, ",")}
	if by := CallerOf(ctx).Key; by != "" {
		detail["by"] = by
	}
	if !k.Expires.IsZero() {
		detail["expires"] = k.Expires.UTC().Format(time.RFC3339)
	}
	if err := s.journal.Note(ctx, Entry{Kind: EntryKeyAdded, Subject: k.Name, Detail: detail}); err != nil {
		if undo := s.KeyStore.RevokeKey(ctx, k.Name); undo != nil {
			return fmt.Errorf("take back key %s, which could not be noted (%w): %w", k.Name, err, undo)
		}
		return err
	}
	return nil
}

// RevokeKey ends the key, noted or not: what ends an access must not wait for a disk.
func (s journaledKeys) RevokeKey(ctx context.Context, name string) error {
	if err := s.KeyStore.RevokeKey(ctx, name); err != nil {
		return err
	}
	var detail map[string]string
	if by := CallerOf(ctx).Key; by != "" {
		detail = map[string]string{"by": by}
	}
	return s.journal.Note(ctx, Entry{Kind: EntryKeyRevoked, Subject: name, Detail: detail})
}
