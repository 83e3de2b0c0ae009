// Package database is the bbolt file of a store in its data folder: its form, what its buckets hold and how that is sealed, and how the
// file is made, opened, checked, copied and put in its place. When that is done, and by whom, packages store and offline decide.
//
// # The file
//
// DIR/bawab.db, mode 0600, holds flat buckets:
//
//	meta          schema version; a sealed constant that tells a wrong appliance key from damage; the sealed identity
//	transactions  id -> end of life, wrapped data key, sealed state (number of records, start)
//	records       id and sequence -> sealed record
//	expiring      end of life and id, so that a sweep touches only what has ended
//	gone          id -> when it ended, for appliance.ExpiredMemory afterwards
//	forgetting    end and id of those, so that forgetting is no scan either
//	keys          name -> sealed API key (which holds a hash, never a secret)
//	reviews       id -> end of life, wrapped key, sealed answer and decisions of a review
//	drift         name -> counts of readings by kind and day, in clear: they hold nothing of a person
//
// The pictures of reviews lie in DIR/review, one file each, sealed under the key of their review. No backup holds them.
//
// Ids, ends of life and counts are in clear; they say nothing about a person, and a changed end of life is noticed. Everything
// else is sealed with AES-256-GCM and a random nonce. Each transaction has a data key of its own, wrapped by the appliance
// key. The associated data of every seal names its purpose, its transaction and its place, so a value that was moved to
// another transaction, position or bucket does not open; the sealed number of records shows when one is missing.
//
// # Damage
//
// bbolt trusts its file: a damaged page can make it panic or fault. So the whole structure is read with bounds
// checks before bbolt sees the file, and a file that does not pass is refused. All access afterwards is guarded, and
// after any failed write the file is closed, verified and opened again before it is used, because the state in
// memory can then differ from that on disk.
package database
