// Package etcd keeps the transactions of a branch, in which several kiosks share them, in a cluster of etcd: a document
// that was read at one kiosk can be compared with a face at another. It is an appliance.TransactionStore and nothing else;
// what belongs to one kiosk (API keys, identity, journal) stays in that kiosk's own database.
//
// # What etcd sees
//
// Below a prefix lie, as text:
//
//	check, schema      a sealed constant that tells a wrong branch key; the version of this form
//	head/GUID          end of life, wrapped data key, sealed state (number of records, start)
//	record/GUID/N      the N-th record, sealed
//	gone/GUID          when it ends or ended; outlives the others by appliance.ExpiredMemory
//
// Everything but ids and ends of life is sealed as package seal says, under keys that the branch key wraps. The branch key
// is a file of 32 bytes that every kiosk of the branch has and no member of the cluster needs. Records and head are bound to
// their transaction and place, and a changed end of life does not open.
//
// # Atomic and durable
//
// Every change is one transaction of etcd that holds only if the head is still as it was read, so two kiosks that write at
// once both succeed, one after the other. It is answered when a majority of the members has synced it to disk: losing one
// of three loses nothing. A call whose answer got lost is not repeated blindly: the next attempt looks whether the record
// lies there already.
//
// So nothing below this package may repeat a call by itself: etcd's own client is told not to, and its two calls that do so
// in spite of that are not used.
//
// # Expiry
//
// Head and records of a transaction hang on a lease of their own, which every request renews, and vanish with it shortly
// after the end of life also when no kiosk is running any more. Until then kiosks judge by the end of life in the head and
// their own clock, so the clocks of a branch must agree; a sweep erases what has ended, and compacts the history of etcd, so
// that old revisions do not pile up.
//
// # Erasing
//
// Erasing deletes the wrapped key with all records and compacts the history up to there, after which no client can read
// them. The log files and free pages of the members still hold sealed values for a while; what guards those is the branch
// key. To end them, change the branch key: a new key with a new prefix, which needs no transfer since no transaction lives
// long.
//
// # Without a majority
//
// The store asks every member several times a second how it is. When fewer than a majority answer, calls fail with
// CodeUnavailable at once, those under way too; when the majority is back, calls succeed again. While a new leader is being
// elected, which takes a second or two, calls wait for it.
package etcd
