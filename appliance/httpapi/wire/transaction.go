package wire

import "github.com/bawab/bawab/appliance"

// TransactionEnvelope writes a transaction: its records in the order of the requests, each with what it was answered.
func TransactionEnvelope(t *appliance.Transaction) []byte {
	w := NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Name("transaction_id").Text(t.ID)
	w.Name("created").Time(t.Created)
	w.Name("expires").Time(t.Expires)
	w.Name("face_attempts").Integer(int64(t.Attempts))
	w.Name("records").Open()
	for i := range t.Records {
		w.record(t.ID, &t.Records[i])
	}
	w.Shut()
	w.Close()
	return w.Plain()
}

// record writes what one request left: documents as /ocr/multi gives them, and the outcome of a comparison, each null or empty where
// there was none.
func (w *Writer) record(id string, r *appliance.Record) {
	w.Begin()
	w.Name("endpoint").Text(string(r.Endpoint))
	w.Name("at").Time(r.At)
	w.Name("key").Text(r.Key)
	w.IDs(Answer{RequestID: r.RequestID, TransactionID: id, ClientTransactionID: r.ClientTransactionID})
	w.Name("documents").Open()
	for i := range r.Documents {
		w.Begin()
		w.document(
			Answer{RequestID: r.RequestID, TransactionID: id, ClientTransactionID: r.ClientTransactionID},
			&r.Documents[i],
			r.Documents[i].Kind,
			nil,
		)
		w.Close()
	}
	w.Shut()
	w.Name("match")
	if m := r.Match; m != nil {
		w.Begin()
		w.Match(*m)
		w.Name("reasons").Reasons(m.Reasons)
		w.Close()
	} else {
		w.Null()
	}
	w.Name("liveness")
	if l := r.Liveness; l != nil {
		w.Begin()
		w.Liveness(*l)
		w.Close()
	} else {
		w.Null()
	}
	w.Close()
}
