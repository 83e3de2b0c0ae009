// Package store keeps transactions and API keys in one bbolt file, sealed and for a limited time.
//
// It is the store of a running daemon: who reads and writes when, what is erased, renewed and swept, and what is done to the file
// meanwhile. Package database below it is the file itself and what lies in it, pages reads that file without bbolt, and offline beside
// it is what an operator does to a database that no bawab uses.
//
// # Erasing
//
// Erasing a transaction deletes its wrapped data key and its values. bbolt writes copies and leaves the old pages in
// the file, among them older copies of the wrapped key, which the appliance key would still open. So after every
// erasure all pages that bbolt counts as free, and those behind its end, are overwritten with zeros in place and
// synced before the caller hears of success; the same happens whenever the store is opened, for the case that the
// power failed in between. Only pages that no commit and no reader refers to are touched, and only with writers and
// readers held out.
//
// A salvage keeps the damaged file beside the fresh one; nothing in it can be erased, so it should be deleted when it
// is no longer needed. Every other copy that the store makes for itself (of a compaction, a restore, a backup on its
// way) is overwritten with zeros before it is removed, also when a power cut left it.
//
// What that is good for: whoever gets the file later, even together with the appliance key, finds nothing of an
// erased transaction. What it cannot reach: blocks that a flash controller, a copy-on-write file system, a snapshot
// or a backup kept aside. There the wrapped key lives on, and only the appliance key guards it; a key from systemd
// credentials bound to a TPM keeps it off that disk, and changing the appliance key ends every copy from before. Whoever
// holds the running process or its memory is out of scope.
//
// Somebody who can write the file but lacks the appliance key can destroy, or put an old copy back, but can neither
// read nor forge a record or an API key.
//
// # The appliance key
//
// It seals the data keys, the API keys and the identity, so a change of it seals these anew in one commit and leaves the
// records as they are. Before that commit the new key is put down in appliance.key.next, sealed under the old one, and it
// stays there until it lies in its place. Whichever key a start finds in place, the sealed constant says which of the two
// holds, and the start completes the change or forgets it.
//
// # Copies
//
// A backup and a compaction copy what one read transaction sees, so they hold no free page, and open every value of the
// copy before it counts. A finished database takes the place of the present one by a second name and a rename, so that
// there is a whole one under the usual name at any time.
//
// # The clock
//
// Ends of life are times of the wall clock. When it goes forward, transactions end; when it was ahead and is set back, the
// sweep shortens what would live too long. Both err on the side of erasing.
package store
