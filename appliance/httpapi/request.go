package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance"
	"github.com/go-json-experiment/json/jsontext"
)

const (
	// maxDepth is how deep arrays and objects may nest in a request; the request object itself is the first.
	maxDepth = 100
	// maxClientID bounds client_transaction_id in bytes of UTF-8.
	maxClientID = 4 << 10
)

// request is the body of any request of the API, its types checked and its pictures out of base64.
type request struct {
	transactionID       string // "" or a GUID in lower case
	clientTransactionID *string
	evidence            bool
	images              [][]byte
}

// form is what an endpoint asks of its requests.
type form struct {
	images   []string // the members that hold pictures
	limit    int      // bytes of one picture
	existing bool     // a transaction id is required
}

// parse reads a request. With an error, what was understood until then comes along, if anything. The whole body must be sound JSON before any member is looked at; members that the form does
// not name are ignored.
func (f form) parse(body []byte) (*request, error) {
	m, err := parseObject(body, f.known())
	if err != nil {
		return nil, err
	}
	return f.read(m)
}

// known are the names of the members that the form has.
func (f form) known() []string {
	return append([]string{"transaction_id", "client_transaction_id", "evidence"}, f.images...)
}

// read checks the members of a request; parse says what comes along with an error.
func (f form) read(m members) (_ *request, err error) {
	var r request
	if r.transactionID, err = m.guid("transaction_id"); err != nil {
		return nil, err
	}
	if f.existing && r.transactionID == "" {
		return &r, memberError("transaction_id", "is missing: send the id of the transaction that holds the identity document")
	}
	if r.clientTransactionID, err = m.clientID("client_transaction_id"); err != nil {
		return &r, err
	}
	if r.evidence, err = m.truth("evidence"); err != nil {
		return &r, err
	}
	return &r, f.pictures(m, &r)
}

func (f form) pictures(m members, r *request) error {
	var long error
	for _, name := range f.images {
		image, err := m.image(name, f.limit)
		if err != nil && appliance.CodeOf(err) != appliance.CodePictureBytes {
			return err
		}
		if long == nil {
			long = err // told only when no member is malformed: members come before pictures
		}
		r.images = append(r.images, image)
	}
	return long
}

// members are the raw values of the known members of an object.
type members map[string]jsontext.Value

// parseObject checks that body is one JSON object and nothing else, and returns the members whose names are known.
// The values lie in body.
func parseObject(body []byte, known []string) (members, error) {
	switch {
	case len(bytes.TrimSpace(body)) == 0:
		return nil, appliance.Errorf(appliance.CodeBadRequest, "the body is empty: send a JSON object")
	case !utf8.Valid(body):
		return nil, appliance.Errorf(appliance.CodeBadRequest, "the body is not valid UTF-8: send JSON in UTF-8")
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(body))
	if d.PeekKind() != '{' {
		if err := skip(d); err != nil {
			return nil, jsonError(err)
		}
		return nil, appliance.Errorf(appliance.CodeBadRequest, "the body is not a JSON object: send one object")
	}
	m := members{}
	if err := m.read(d, body, known); err != nil {
		return nil, jsonError(err)
	}
	if rest := bytes.TrimSpace(body[d.InputOffset():]); len(rest) > 0 {
		return nil, appliance.Errorf(appliance.CodeBadRequest, "the body goes on after the JSON object: send one object alone")
	}
	return m, nil
}

func (m members) read(d *jsontext.Decoder, body []byte, known []string) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		key, start := name.String(), d.InputOffset()
		if err := skip(d); err != nil {
			return err
		}
		if slices.Contains(known, key) {
			m[key] = jsontext.Value(bytes.TrimLeft(body[start:d.InputOffset()], ": \t\r\n"))
		}
	}
	_, err := d.ReadToken()
	return err
}

var errDepth = errors.New("nested too deep")

// skip reads one value with everything in it.
func skip(d *jsontext.Decoder) error {
	for depth := d.StackDepth(); ; {
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		switch {
		case d.StackDepth() > maxDepth:
			return errDepth
		case d.StackDepth() == depth:
			return nil
		}
	}
}

// jsonError says where the body stops being JSON, without quoting it.
func jsonError(err error) error {
	at := ""
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		at = fmt.Sprintf(" near byte %d", syntax.ByteOffset)
	}
	switch {
	case errors.Is(err, errDepth):
		return appliance.Errorf(appliance.CodeBadRequest, "the body is nested deeper than %d: send a flat JSON object", maxDepth)
	case errors.Is(err, jsontext.ErrDuplicateName):
		return appliance.Errorf(appliance.CodeBadRequest, "an object of the body has the same member twice%s: send each member once", at)
	}
	return appliance.Errorf(appliance.CodeBadRequest, "the body is not valid JSON%s: send one JSON object", at)
}

// absent tells whether a member is missing or null, which is the same.
func (m members) absent(name string) bool { return m[name] == nil || m[name].Kind() == 'n' }

// text returns the raw content of a string member, between its quotes, with escapes resolved. It may lie in the body.
func (m members) text(name string) ([]byte, error) {
	v := m[name]
	if v.Kind() != '"' {
		return nil, memberError(name, "must be a string")
	}
	if bytes.IndexByte(v, '\\') < 0 {
		return v[1 : len(v)-1], nil
	}
	return jsontext.AppendUnquote(nil, v)
}

// guid returns a GUID in lower case, or "" when the member says that there is none yet.
func (m members) guid(name string) (string, error) {
	if m.absent(name) {
		return "", nil
	}
	s, err := m.text(name)
	if err != nil || len(s) == 0 {
		return "", err
	}
	id, ok := appliance.ParseGUID(string(s))
	if !ok {
		return "", memberError(name, "is not a GUID: send 8-4-4-4-12 hexadecimal digits with hyphens")
	}
	if id == appliance.NilGUID {
		return "", nil
	}
	return id, nil
}

func (m members) clientID(name string) (*string, error) {
	if m.absent(name) {
		return nil, nil
	}
	s, err := m.text(name)
	if err != nil {
		return nil, err
	}
	if len(s) > maxClientID {
		return nil, memberError(name, "is longer than 4 KiB: send a shorter one")
	}
	id := string(s)
	return &id, nil
}

func (m members) truth(name string) (bool, error) {
	if m.absent(name) {
		return false, nil
	}
	switch m[name].Kind() {
	case 't':
		return true, nil
	case 'f':
		return false, nil
	}
	return false, memberError(name, "must be true or false")
}

// image decodes a picture. One that is too large is CodePictureBytes, everything else that is wrong CodeBadRequest.
func (m members) image(name string, limit int) ([]byte, error) {
	if m.absent(name) {
		return nil, memberError(name, "is missing: send the base64 text of a picture")
	}
	s, err := m.text(name)
	if err != nil {
		return nil, err
	}
	image, err := decodeBase64(s, limit)
	if errors.Is(err, errBase64Long) {
		return nil, appliance.Errorf(appliance.CodePictureBytes, "the picture in %s is larger than %d MiB: send a smaller one", name, limit>>20)
	}
	if err != nil {
		return nil, memberError(name, err.Error())
	}
	return image, nil
}

func memberError(name, what string) error {
	return appliance.Errorf(appliance.CodeBadRequest, "%s %s", name, what)
}
