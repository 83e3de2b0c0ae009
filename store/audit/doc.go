// Package audit keeps the journal of the appliance: what it decided and what was done to it, in files that nobody can
// change unnoticed.
//
// # The files
//
// DIR/audit, mode 0700, holds
//
//	NNNNNNNN.log  segments, numbered from 1: one entry per line
//	head          where the journal ends, signed; two slots that are written in turn
//	pruned        how far old segments were deleted, signed; only once there were any
//
// A line is the hash of the entry in hexadecimal, a blank and the entry in JSON. The hash is SHA-256 over the hash of the
// entry before it (32 bytes; zeros before the first) and the JSON as it stands. The chain runs through all segments. A
// segment begins with an entry that names its number and ends, when it is full or its day (UTC) is over, with a seal: the
// signature of the appliance's identity over its number, its extent and its last hash.
//
// # What is in it
//
// Nothing that was read from a document or a face. A decision names the endpoint, the request id (drawn here, at random),
// the name of the API key, codes, kinds of documents and verdicts. The id of its transaction is pseudonymous: it says
// nothing by itself, but the caller may know whose it is. So the journal holds a keyed hash of it. The key follows from
// the identity: whoever only has the files, or the caller's list of ids, cannot bring the two together; the appliance can, for an
// auditor who names an id. After a transaction was erased its entries still say that something was decided, and not
// what was read.
//
// # Durability
//
// Note returns when the entry is on disk. Callers that come while the disk syncs gather, and the first of them writes
// for all, so that a crowd shares the cost. The head is written after the sync, so it never runs ahead of the journal; it
// is synced once a second and when the journal is closed. A torn last entry, which nobody was promised, is cut at the
// next start, and the cut is an entry. An entry that the signed head names is never cut: where one is missing or changed,
// the segment stays as it is for the auditor, a new one goes on from the head, and its first entry says so.
//
// # What it withstands
//
// Whoever can write the files but lacks the identity can destroy entries, but not unnoticed: a changed bit, a cut tail, a
// segment that was removed, renamed or moved, a head or a record of pruning that is not the appliance's are named. What he can
// do is to put back older copies of the whole folder. Then the head that the database keeps as well, renewed every minute,
// says how far the journal had come; only with an older copy of the database too this goes unnoticed here.
//
// Whoever has the identity can write a new journal altogether. The identity lies in the database, sealed with the
// appliance key, so root has it where that key is a file, and also, while the daemon runs, where it is bound to a TPM. Against
// this there is only a witness elsewhere: each verification prints the last entry with its hash; keep that line, or
// exported segments, outside of the appliance, and give the line to a later verification, which then proves that everything up
// to it still stands as it did.
//
// The clock is the machine's. Jumps and steps back are entries, and a day's retention is not counted right after one.
package audit
