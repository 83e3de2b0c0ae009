package appliance

// Warning is a lasting condition that an operator should mend; the same codes appear in /readyz, in bawab doctor
// and in docs/codes.md.
type Warning struct {
	Code WarningCode
	Msg  string
	Hint string
	// Said and Way are message and hint as phrases, which are told with their figures in every language; nil where the texts of the
	// code say enough.
	Said *Phrase `json:"-"`
	Way  *Phrase `json:"-"`
}

// Warn is a warning whose message and hint are told with their figures in every language.
func Warn(code WarningCode, said, way Phrase) Warning {
	return Warning{Code: code, Msg: said.String(), Hint: way.String(), Said: &said, Way: &way}
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
	WarnReviewFull     WarningCode = "review_full"     // the last picture for review was not kept, or there is hardly room for more
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
	// Said and Way are detail and hint as phrases, where they have names or figures in them; nil for all others.
	Said *Phrase `json:"-"`
	Way  *Phrase `json:"-"`
}

// Detailed is the check with a detail that has names or figures in it.
func (c Check) Detailed(said Phrase) Check {
	c.Detail, c.Said = said.String(), &said
	return c
}

// Hinted is the check with a hint that has names or figures in it.
func (c Check) Hinted(way Phrase) Check {
	c.Hint, c.Way = way.String(), &way
	return c
}

// Broken reports whether the check found something that keeps the appliance from its work.
func (c Check) Broken() bool { return !c.OK && !c.Minor }

// Told is what the check found, as a phrase.
func (c Check) Told() Phrase {
	if c.Said != nil {
		return *c.Said
	}
	return Phrasef(c.Detail)
}

// Advised is what the check says to do, as a phrase.
func (c Check) Advised() Phrase {
	if c.Way != nil {
		return *c.Way
	}
	return Phrasef(c.Hint)
}
