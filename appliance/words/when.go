package words

import "time"

// When writes a moment to the minute, in UTC; "never" for the zero time.
func When(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.UTC().Format("2006-01-02 15:04Z")
}
