package httpapi

import "github.com/bawab/bawab/appliance"

// Answer is a successful reading on its way out.
type Answer struct {
	Endpoint            appliance.Endpoint
	RequestID           string
	TransactionID       string
	ClientTransactionID *string
	Reading             appliance.Reading
	// Evidence adds Services.evidence.
	Evidence bool
}

// Envelope writes the v1 envelope of a successful reading, without a line break at the end.
func Envelope(a Answer) []byte { return nil }

// ErrorEnvelope writes the v1 envelope of a failure: the code and message of the appliance.Error in err's chain, and
// for every other error code 500 with the request id as the whole message.
func ErrorEnvelope(requestID string, err error) []byte { return nil }
