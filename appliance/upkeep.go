package appliance

// Erasure is the proof of one: what was destroyed, and where its sealed values were looked for afterwards.
type Erasure struct {
	// Records is how many requests the transaction held.
	Records int
	// Reviews is how many reviews of the transaction were destroyed with it, pictures and all.
	Reviews int
	// Searched is how many bytes of the database were searched for what had been the transaction's sealed values; none
	// was found. 0 stands for a transaction in the cluster of a branch, which answers no read of it any more.
	Searched int64
	// Elsewhere names other files of the data folder that still hold sealed values of the transaction, for instance a
	// damaged database that was kept. It is not erased as long as they are there.
	Elsewhere []string
}

// Compaction says what the rewriting of a database gained; sizes in bytes.
type Compaction struct{ Before, After int64 }

// Rotation says how a change of the appliance key went. The database is sealed with the new key in any case.
type Rotation struct {
	// Transactions and Keys count the data keys and API keys that were sealed anew.
	Transactions, Keys int
	// Unopened counts transactions that did not open before either; they are as lost as they were.
	Unopened int
	// KeyFile is where the appliance key is read from at the next start.
	KeyFile string
	// Installed tells that the new key lies there already. Where it does not, somebody must put it there; until then the
	// old key still opens the database at a start.
	Installed bool
}

// BackupReport describes a finished backup: a database of its own, in which every value was opened.
type BackupReport struct {
	Transactions, Records, Keys int
	Bytes                       int64
}
