package appliance

import (
	"errors"
)

// Code is the error_code of the v1 API: of a whole answer or of one field. The numbers are part of the contract.
type Code int

// Codes of a whole answer.
const (
	CodeBadRequest       Code = 400
	CodeUnauthorized     Code = 401
	CodeForbidden        Code = 403
	CodeNotFound         Code = 404
	CodeMethodNotAllowed Code = 405
	CodeTooLarge         Code = 413
	CodeMediaType        Code = 415
	CodeTooMany          Code = 429
	CodeInternal         Code = 500
	CodeNotBuilt         Code = 501
	CodeUnavailable      Code = 503

	CodeNoDocument Code = 3011

	CodeTransactionUnknown Code = 4101
	CodeNoIdentityDocument Code = 4102
	CodeTransactionExpired Code = 4103
	CodeTooManyAttempts    Code = 4104
	CodeTransactionFull    Code = 4105
	CodeManyFaces          Code = 4206
	CodeNoFace             Code = 4207
	CodeNoPortrait         Code = 4208
	CodeFaceUnclear        Code = 4209

	CodePictureKind    Code = 5001
	CodePictureBytes   Code = 5002
	CodePicturePixels  Code = 5003
	CodePictureBroken  Code = 5004
	CodePictureTooThin Code = 5005
)

// Error is the one error type that crosses package boundaries on its way to a person.
//
// Msg is a plain sentence fragment for the caller of the API: it says what to change and never holds a path, a
// stack or a personal datum. Hint is for the operator at the command line. Op names the step ("open store").
// Err is the cause, logged and never sent.
type Error struct {
	Code Code
	Op   string
	Msg  string
	Hint string
	Err  error

	// text and way are what Msg and Hint were made from, for other languages; they are empty where these were set by hand.
	text, way Phrase
}

// Error joins step, message and cause for logs and the command line.
func (e *Error) Error() string {
	s := e.Msg
	if e.Op != "" {
		s = e.Op + ": " + s
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an Error of a code and a caller-facing message.
func Errorf(code Code, format string, args ...any) *Error {
	text := Phrasef(format, args...)
	return &Error{Code: code, Msg: text.String(), text: text}
}

// Refusal makes an Error whose message and hint are told with their names and figures in every language.
func Refusal(code Code, op string, said, way Phrase, cause error) *Error {
	return &Error{Code: code, Op: op, Msg: said.String(), Hint: way.String(), Err: cause, text: said, way: way}
}

// Way is the hint as a phrase.
func (e *Error) Way() Phrase {
	if e.way.format != "" && e.way.String() == e.Hint {
		return e.way
	}
	return Phrasef(e.Hint)
}

// CodeOf returns the code of the first Error in err's chain, and CodeInternal when there is none.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeInternal
}

// Damaged reports whether an error says that a stored transaction does not open, however often it is tried: whose it is cannot be known.
func Damaged(err error) bool {
	code := CodeOf(err)
	return code == CodeInternal || code == CodeBadRequest
}

// TooManyAttempts is the answer where a transaction has had all the face checks that it may have.
func TooManyAttempts(most int) *Error {
	return Errorf(CodeTooManyAttempts, "this transaction has had its %d face checks: begin a new one with a new transaction_id", most)
}

// OfPicture says which of several pictures an error is about.
func OfPicture(err error, i, n int) error {
	var e *Error
	if n == 1 || !errors.As(err, &e) {
		return err
	}
	named := *e
	inner := e.text
	if inner.String() != e.Msg {
		inner = Phrasef(e.Msg)
	}
	named.text = Phrasef("picture %d of %d: %s", i+1, n, inner)
	named.Msg = named.text.String()
	return &named
}
