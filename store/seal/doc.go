// Package seal is how transactions are sealed at rest, whichever driver keeps them: AES-256-GCM under a data key of the
// transaction's own, which is wrapped by a key that lies in a file. Without the wrapped key nothing of a transaction can
// be opened, so deleting that is the erasure.
//
// The associated data of every seal names its purpose, its transaction and its place, so a value that was moved to another
// transaction, position or kind does not open; the sealed number of records shows when one is missing, and the end of life
// is bound to it. What this package writes is a stored form: whoever changes it must bring a migration.
package seal
