package seal

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
)

// ID is the binary form of a GUID: the key of a transaction in a database.
type ID [16]byte

// ParseID reads the text form of a GUID; an error is of CodeBadRequest.
func ParseID(text string) (ID, error) {
	var id ID
	lower, ok := appliance.ParseGUID(text)
	if !ok {
		return id, appliance.Errorf(appliance.CodeBadRequest, "the transaction id is not a GUID")
	}
	_, err := hex.Decode(id[:], []byte(strings.ReplaceAll(lower, "-", "")))
	return id, err
}

// String is the text form that ParseID reads, in lower case.
func (id ID) String() string {
	h := hex.EncodeToString(id[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// Header is the stored value of a transaction. In a database: end of life (8 bytes), wrapped data key, sealed state.
type Header struct {
	Expires time.Time
	Wrapped []byte // the data key, sealed under the key that wraps
	State   []byte // a State, sealed under the data key; the end of life is bound to it
}

// Sizes of stored values in bytes.
const (
	WrappedSize  = KeySize + Overhead
	stateSize    = 4 + 8 + Overhead
	attemptsSize = 4
	headerSize   = 8 + WrappedSize + stateSize
)

// State is what a transaction knows about itself. The number of records is sealed so that a record that went
// missing is noticed, and the number of attempts so that nobody who can write to the database gets more of them.
type State struct {
	Records uint32
	Created time.Time
	// Attempts counts the face checks. They are stored only where there are any: a transaction without is as versions wrote it
	// that did not count.
	Attempts uint32
}

// IsHeader says whether a value has the length of a Header.
func IsHeader(v []byte) bool { return len(v) == headerSize || len(v) == headerSize+attemptsSize }

// ParseHeader reads what Bytes writes. It borrows from v.
func ParseHeader(v []byte) (Header, error) {
	if !IsHeader(v) {
		return Header{}, fmt.Errorf("transaction of %d bytes, want %d or %d", len(v), headerSize, headerSize+attemptsSize)
	}
	return Header{ParseTime(v), v[8 : 8+WrappedSize], v[8+WrappedSize:]}, nil
}

// Bytes is the stored form, in memory of its own.
func (h Header) Bytes() []byte {
	return append(append(TimeBytes(h.Expires), h.Wrapped...), h.State...)
}

// TimeBytes is the stored form of a time, 8 bytes; it orders like time, for times after 1970.
func TimeBytes(t time.Time) []byte { return binary.BigEndian.AppendUint64(nil, uint64(t.UnixNano())) }

// ParseTime reads the first 8 bytes of b as TimeBytes writes them.
func ParseTime(b []byte) time.Time {
	return time.Unix(0, int64(binary.BigEndian.Uint64(b))).UTC()
}

// Sequence is the place of a transaction's n-th record, from 1; it orders like n.
func Sequence(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }

// NewDataKey draws the key of a new transaction and returns its sealer and the key wrapped under s.
func (s Sealer) NewDataKey(id ID) (data Sealer, wrapped []byte, err error) {
	data, raw, err := NewKey()
	return data, s.Wrap(raw, PurposeDataKey, id), err
}

// DataKey unwraps the transaction's key and opens its state, which fails where the end of life was changed.
func (s Sealer) DataKey(id ID, h Header) (Sealer, State, error) {
	data, err := s.Unwrap(h.Wrapped, PurposeDataKey, id)
	if err != nil {
		return Sealer{}, State{}, err
	}
	plain, err := data.Open(h.State, PurposeState, id[:], TimeBytes(h.Expires))
	if err != nil {
		return Sealer{}, State{}, err
	}
	return data, ParseState(plain), nil
}

// ParseState reads what Bytes writes, 12 or 16 bytes.
func ParseState(plain []byte) State {
	st := State{Records: binary.BigEndian.Uint32(plain), Created: ParseTime(plain[4:])}
	if len(plain) > 12 {
		st.Attempts = binary.BigEndian.Uint32(plain[12:])
	}
	return st
}

// Bytes is the stored form, to be sealed.
func (st State) Bytes() []byte {
	b := append(binary.BigEndian.AppendUint32(nil, st.Records), TimeBytes(st.Created)...)
	if st.Attempts > 0 {
		b = binary.BigEndian.AppendUint32(b, st.Attempts)
	}
	return b
}

// Attempt counts one more face check; CodeTooManyAttempts where there were most already.
func (st *State) Attempt(most int) error {
	if int64(st.Attempts) >= int64(most) {
		return appliance.TooManyAttempts(most)
	}
	st.Attempts++
	return nil
}

// SealState returns, under the data key s, the state of a transaction that ends at the given time.
func (s Sealer) SealState(id ID, st State, expires time.Time) []byte {
	return s.Seal(st.Bytes(), PurposeState, id[:], TimeBytes(expires))
}

// SealRecord returns the n-th record of a transaction, from 1, under the data key s.
func (s Sealer) SealRecord(id ID, n uint32, plain []byte) []byte {
	return s.Seal(plain, PurposeRecord, id[:], Sequence(n))
}

// OpenRecord opens what SealRecord returned for the same place.
func (s Sealer) OpenRecord(id ID, n uint32, sealed []byte) ([]byte, error) {
	return s.Open(sealed, PurposeRecord, id[:], Sequence(n))
}

// EncodeRecord is the form of a record before it is sealed.
func EncodeRecord(r appliance.Record) ([]byte, error) {
	plain, err := json.Marshal(r)
	if err != nil {
		return nil, &appliance.Error{Code: appliance.CodeInternal, Op: "append record", Msg: "the record cannot be stored", Err: err}
	}
	return plain, nil
}

// DecodeRecords reads the opened records of a transaction.
func DecodeRecords(id ID, plain [][]byte) ([]appliance.Record, error) {
	var out []appliance.Record
	for _, p := range plain {
		var r appliance.Record
		if err := json.Unmarshal(p, &r); err != nil {
			return nil, ErrDamaged(id, err)
		}
		out = append(out, r)
	}
	return out, nil
}

// Ended answers for a transaction that ends at the given time: nil while it lives, CodeTransactionExpired for
// appliance.ExpiredMemory afterwards, and then CodeTransactionUnknown.
func Ended(at, now time.Time) error {
	switch {
	case now.Before(at):
		return nil
	case now.Sub(at) <= appliance.ExpiredMemory:
		return appliance.Errorf(appliance.CodeTransactionExpired, "the transaction has expired: start a new one")
	}
	return ErrUnknown()
}

// Gone answers for a transaction of which only its end is remembered. An erased one ended when it was erased, even if the
// clock was set back since.
func Gone(at, now time.Time) error {
	if at.After(now) {
		at = now
	}
	return Ended(at, now)
}

// ErrUnknown is the answer for an id that a store does not know.
func ErrUnknown() error {
	return appliance.Errorf(appliance.CodeTransactionUnknown, "the transaction is not known: read an identity document first")
}

// HintCheck is the hint where something stored is not as it should be.
const HintCheck = "`bawab store check` says what is wrong"

// ErrDamaged is the answer for a transaction that is stored but does not open.
func ErrDamaged(id ID, err error) error {
	return &appliance.Error{
		Code: appliance.CodeInternal, Op: "open transaction " + id.String(),
		Msg: "the stored transaction is damaged: start a new one", Hint: HintCheck, Err: err,
	}
}
