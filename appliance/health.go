package appliance

// Warning is a lasting condition that an operator should mend; the same codes appear in /readyz, in bawab doctor
// and in docs/codes.md.
type Warning struct {
	Code WarningCode
	Msg  string
	Hint string
	// Said is the message as a phrase, which is told with its figures in every language; nil for most.
	Said *Phrase `json:"-"`
}

// WarningCode names a lasting condition.
type WarningCode string

// The lasting conditions.
const (
	WarnDiskLow        WarningCode = "disk_low"        // little room left where the store lies
	WarnStoreFailing   WarningCode = "store_failing"   // the last write to the store failed
	WarnNoAcceleration WarningCode = "no_acceleration" // the networks run without their fast kernels
	WarnNoKeys         WarningCode = "no_keys"         // no API key exists, so every request is refused
	WarnKeyPending     WarningCode = "key_pending"     // the new appliance key is not in its place yet
	WarnCertificate    WarningCode = "certificate"     // the certificate ends soon or has ended, or its new files are not usable
	WarnSelfCheck      WarningCode = "self_check"      // the last check of the whole way from a picture to the disk failed
	WarnClock          WarningCode = "clock"           // the clock has jumped
	WarnReviewFull     WarningCode = "review_full"     // pictures for review take nearly all the room that they may
	WarnDrift          WarningCode = "drift"           // readings have become worse than they were at this site
	WarnCluster        WarningCode = "cluster"         // members of the branch's cluster do not answer, or it takes no records
)

// Check is one line of bawab doctor.
type Check struct {
	Name   string
	OK     bool
	Detail string
	Hint   string
	// Minor: one that is not OK is worth a look and no reason to call the appliance broken.
	Minor bool
}

// Broken tells whether the check found something that keeps the appliance from its work.
func (c Check) Broken() bool { return !c.OK && !c.Minor }
