package wire

// Code is how gRPC classes the end of a call.
type Code uint32

// The codes that callers tell apart.
const (
	CodeCanceled          Code = 1
	CodeUnknown           Code = 2 // so a member passes on that its own wait for another one ended
	CodeDeadlineExceeded  Code = 4
	CodeNotFound          Code = 5
	CodeResourceExhausted Code = 8
	CodeAborted           Code = 10
	CodeOutOfRange        Code = 11
	CodeUnavailable       Code = 14
)

// Error is why a call failed: in the member's words, or with CodeUnavailable and Err why there is no answer. In that case
// the call may have been carried out.
type Error struct {
	Code Code
	Msg  string // "" beside Err
	Err  error  // nil beside Msg
}

// The answers that callers tell apart, for errors.Is.
var (
	ErrCompacted       = &Error{Code: CodeOutOfRange, Msg: "etcdserver: mvcc: required revision has been compacted"}
	ErrLeaseNotFound   = &Error{Code: CodeNotFound, Msg: "etcdserver: requested lease not found"}
	ErrNoSpace         = &Error{Code: CodeResourceExhausted, Msg: "etcdserver: mvcc: database space exceeded"}
	ErrTooManyRequests = &Error{Code: CodeResourceExhausted, Msg: "etcdserver: too many requests"}
)

func unanswered(err error) *Error { return &Error{Code: CodeUnavailable, Err: err} }

func (e *Error) Error() string {
	if e.Err != nil {
		return e.Err.Error()
	}
	return e.Msg
}

func (e *Error) Unwrap() error { return e.Err }

// Is tells whether another error is the same answer.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && e.Err == nil && t.Err == nil && e.Code == t.Code && e.Msg == t.Msg
}
