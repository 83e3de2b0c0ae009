package wire

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/words"
	"github.com/go-json-experiment/json/jsontext"
)

const (
	// maxDepth is how deep arrays and objects may nest in a request; the request object itself is the first.
	maxDepth = 100
	// maxMembers is how many members an object may have. A request has at most eight; names are kept until their object ends, to
	// find one that comes twice.
	maxMembers = 64
	// maxPage is the last page of a file that may be asked for.
	maxPage = 10_000
	// maxClientID bounds client_transaction_id in bytes of UTF-8.
	maxClientID = 4 << 10
)

// Request is the body of any request of the API, its types checked and its pictures out of base64.
type Request struct {
	TransactionID       string // "" or a GUID in lower case
	ClientTransactionID *string
	Evidence            bool
	Page                int // 0 where it is not said
	Images              [][]byte
}

// Form is what an endpoint asks of its requests.
type Form struct {
	Images   []string // the members that hold pictures
	Limit    int      // bytes of one picture
	Existing bool     // a transaction id is required
	Paged    bool     // the picture may be a page of a file
	// Exists says whether what the path names is there; nil where it names nothing.
	Exists func() error
}

// Known are the names of the members that the form has.
func (f Form) Known() []string {
	names := append([]string{"transaction_id", "client_transaction_id", "evidence"}, f.Images...)
	if f.Paged {
		names = append(names, "page")
	}
	return names
}

// Read checks the members of a request; those that the form does not name are ignored. With an error, what was understood until
// then comes along, if anything.
func (f Form) Read(m Members) (_ *Request, err error) {
	var r Request
	if r.TransactionID, err = m.guid("transaction_id"); err != nil {
		return nil, err
	}
	if f.Existing && r.TransactionID == "" {
		return &r, MemberError("transaction_id", "is missing: send the id of the transaction that holds the identity document")
	}
	if r.ClientTransactionID, err = m.clientID("client_transaction_id"); err != nil {
		return &r, err
	}
	if r.Evidence, err = m.Truth("evidence"); err != nil {
		return &r, err
	}
	if r.Page, err = m.page(); err != nil {
		return &r, err
	}
	return &r, f.pictures(m, &r)
}

func (f Form) pictures(m Members, r *Request) error {
	var long error
	for _, name := range f.Images {
		image, err := m.Image(name, f.Limit)
		if err != nil && appliance.CodeOf(err) != appliance.CodePictureBytes {
			return err
		}
		if long == nil {
			long = err // told only when no member is malformed: members come before pictures
		}
		r.Images = append(r.Images, image)
	}
	return long
}

// Members are the raw values of the known members of an object.
type Members struct {
	Values map[string]jsontext.Value
	// other holds, by the name of a member that counts, one that differs from it in case alone.
	other map[string]string
	// Reserve takes memory beside that of the body; nil takes none.
	Reserve func(n int) error
}

// ParseObject checks that body is one JSON object and nothing else, and returns the members whose names are known. The values
// lie in body. It is the one place that parses JSON from outside; what it costs is bounded by the length of the body, and it
// ends with ctx.
func ParseObject(ctx context.Context, body []byte, known []string) (m Members, err error) {
	body = bytes.TrimPrefix(body, []byte("\ufeff")) // some editors and clients begin UTF-8 with a byte order mark
	switch {
	case len(bytes.TrimSpace(body)) == 0:
		return m, appliance.Errorf(appliance.CodeBadRequest, "the body is empty: send a JSON object")
	case !utf8.Valid(body):
		return m, appliance.Errorf(appliance.CodeBadRequest, "the body is not valid UTF-8: send JSON in UTF-8")
	}
	d := &walker{Decoder: jsontext.NewDecoder(bytes.NewBuffer(body)), ctx: ctx}
	if d.PeekKind() != '{' {
		if err := d.skip(); err != nil {
			return m, jsonError(err)
		}
		return m, appliance.Errorf(appliance.CodeBadRequest, "the body is not a JSON object: send one object")
	}
	m.Values, m.other = map[string]jsontext.Value{}, map[string]string{}
	if err := m.read(d, body, known); err != nil {
		return m, jsonError(err)
	}
	if rest := bytes.TrimSpace(body[d.InputOffset():]); len(rest) > 0 {
		return m, appliance.Errorf(appliance.CodeBadRequest, "the body goes on after the JSON object: send one object alone")
	}
	return m, nil
}

func (m Members) read(d *walker, body []byte, known []string) error {
	if _, err := d.token(); err != nil {
		return err
	}
	for d.PeekKind() == '"' {
		name, err := d.token()
		if err != nil {
			return err
		}
		key, start := name.String(), d.InputOffset()
		if err := d.skip(); err != nil {
			return err
		}
		if slices.Contains(known, key) {
			m.Values[key] = jsontext.Value(bytes.TrimLeft(body[start:d.InputOffset()], ": \t\r\n"))
		} else if i := slices.IndexFunc(known, func(name string) bool { return strings.EqualFold(name, key) }); i >= 0 {
			m.other[known[i]] = key
		}
	}
	_, err := d.token()
	return err
}

var (
	errDepth   = errors.New("nested too deep")
	errMembers = errors.New("too many members")
)

// walker goes through a JSON text within its bounds.
type walker struct {
	*jsontext.Decoder
	ctx    context.Context
	tokens int
}

// token reads the next token.
func (d *walker) token() (jsontext.Token, error) {
	if d.tokens++; d.tokens%1024 == 0 && d.ctx.Err() != nil {
		return jsontext.Token{}, d.ctx.Err()
	}
	t, err := d.ReadToken()
	if err != nil {
		return t, err
	}
	depth := d.StackDepth()
	if depth > maxDepth {
		return t, errDepth
	}
	if kind, n := d.StackIndex(depth); kind == '{' && n > 2*maxMembers { // names and values
		return t, errMembers
	}
	return t, nil
}

// skip reads one value with everything in it.
func (d *walker) skip() error {
	for depth := d.StackDepth(); ; {
		if _, err := d.token(); err != nil {
			return err
		}
		if d.StackDepth() == depth {
			return nil
		}
	}
}

// jsonError says where the body stops being JSON, without quoting it.
func jsonError(err error) error {
	var syntax *jsontext.SyntacticError
	placed := errors.As(err, &syntax)
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, errMembers):
		return appliance.Errorf(appliance.CodeBadRequest, "an object of the body has more than %d members: send the members of the request alone", maxMembers)
	case errors.Is(err, errDepth):
		return appliance.Errorf(appliance.CodeBadRequest, "the body is nested deeper than %d: send a flat JSON object", maxDepth)
	case errors.Is(err, jsontext.ErrDuplicateName) && placed:
		return appliance.Errorf(appliance.CodeBadRequest, "an object of the body has the same member twice near byte %d: send each member once", syntax.ByteOffset)
	case errors.Is(err, jsontext.ErrDuplicateName):
		return appliance.Errorf(appliance.CodeBadRequest, "an object of the body has the same member twice: send each member once")
	case placed:
		return appliance.Errorf(appliance.CodeBadRequest, "the body is not valid JSON near byte %d: send one JSON object", syntax.ByteOffset)
	}
	return appliance.Errorf(appliance.CodeBadRequest, "the body is not valid JSON: send one JSON object")
}

// Absent reports whether a member is missing or null, which is the same.
func (m Members) Absent(name string) bool {
	return m.Values[name] == nil || m.Values[name].Kind() == 'n'
}

// Text returns the content of a string member, between its quotes, with escapes resolved. It may lie in the body.
func (m Members) Text(name string) ([]byte, error) {
	v := m.Values[name]
	if v.Kind() != '"' {
		return nil, MemberError(name, "must be a string")
	}
	if bytes.IndexByte(v, '\\') < 0 {
		return v[1 : len(v)-1], nil
	}
	if m.Reserve != nil {
		if err := m.Reserve(len(v)); err != nil {
			return nil, err
		}
	}
	return jsontext.AppendUnquote(make([]byte, 0, len(v)), v)
}

// guid returns a GUID in lower case, or "" when the member says that there is none yet.
func (m Members) guid(name string) (string, error) {
	if m.Absent(name) {
		return "", nil
	}
	s, err := m.Text(name)
	if err != nil || len(s) == 0 {
		return "", err
	}
	id, ok := appliance.ParseGUID(string(s))
	if !ok {
		return "", MemberError(name, "is not a GUID: send 8-4-4-4-12 hexadecimal digits with hyphens")
	}
	if id == appliance.NilGUID {
		return "", nil
	}
	return id, nil
}

func (m Members) clientID(name string) (*string, error) {
	if m.Absent(name) {
		return nil, nil
	}
	s, err := m.Text(name)
	if err != nil {
		return nil, err
	}
	if len(s) > maxClientID {
		return nil, MemberError(name, "is longer than 4 KiB: send a shorter one")
	}
	id := string(s)
	return &id, nil
}

// Truth returns a member that is true or false, and false where it is absent.
func (m Members) Truth(name string) (bool, error) {
	if m.Absent(name) {
		return false, nil
	}
	switch m.Values[name].Kind() {
	case 't':
		return true, nil
	case 'f':
		return false, nil
	}
	return false, MemberError(name, "must be true or false")
}

// page returns the number of a page, from 1, or 0 where there is none.
func (m Members) page() (int, error) {
	if m.Absent("page") {
		return 0, nil
	}
	n, err := strconv.Atoi(string(bytes.TrimSpace(m.Values["page"])))
	if err != nil || n < 1 || n > maxPage {
		return 0, MemberError("page", "must be a whole number from 1 to %d", maxPage)
	}
	return n, nil
}

// Image decodes a picture, in the place of its text. One that is too large is CodePictureBytes, everything else that is wrong CodeBadRequest.
func (m Members) Image(name string, limit int) ([]byte, error) {
	if m.Absent(name) {
		if m.other[name] != "" {
			return nil, MemberError(name, "is missing: names of members are case-sensitive, and %s is another one", m.other[name])
		}
		return nil, MemberError(name, "is missing: send the base64 text of a picture")
	}
	s, err := m.Text(name)
	if err != nil {
		return nil, err
	}
	image, err := decodeBase64(s, limit)
	if errors.Is(err, errBase64Long) {
		return nil, appliance.Errorf(appliance.CodePictureBytes, "the picture in %s is larger than %s: send a smaller one",
			name, words.Size(int64(limit)))
	}
	var place *base64Place
	if errors.As(err, &place) {
		return nil, MemberError(name, "holds a character that is not base64, at position %d: send the bytes of the picture's file in base64", place.at)
	}
	if err != nil {
		return nil, MemberError(name, err.Error())
	}
	return image, nil
}

// MemberError says what is wrong with a member.
func MemberError(name, what string, args ...any) error {
	return appliance.Errorf(appliance.CodeBadRequest, "%s %s", name, appliance.Phrasef(what, args...))
}
