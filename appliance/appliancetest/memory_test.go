package appliancetest

import (
	"errors"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
)

// The store in memory keeps the promises that it stands in for.
func TestTransactionsConform(t *testing.T) {
	TestTransactionStore(t, func(_ *testing.T, now func() time.Time) appliance.TransactionStore {
		return NewTransactions(TTL, now)
	})
}

// The key store in memory keeps the promises that it stands in for.
func TestKeysConform(t *testing.T) {
	TestKeyStore(t, func(*testing.T) appliance.KeyStore { return NewKeys() })
}

// Fail makes every call answer the given error, and nil ends it.
func TestTransactionsFail(t *testing.T) {
	s, broken := NewTransactions(TTL, time.Now), errors.New("disk is gone")
	s.Fail(broken)
	id := appliance.NewGUID()
	errs := []error{s.Append(t.Context(), id, SampleRecord(1)), s.Renew(t.Context(), id), s.Erase(t.Context(), id)}
	_, err := s.Transaction(t.Context(), id)
	errs = append(errs, err)
	_, err = s.Sweep(t.Context())
	errs = append(errs, err)
	for i, err := range errs {
		if !errors.Is(err, broken) {
			t.Errorf("call %d: %v", i, err)
		}
	}
	s.Fail(nil)
	if err := s.Append(t.Context(), id, SampleRecord(1)); err != nil {
		t.Errorf("after the fault: %v", err)
	}
}
