package httpapi

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance"
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

// request is the body of any request of the API, its types checked and its pictures out of base64.
type request struct {
	transactionID       string // "" or a GUID in lower case
	clientTransactionID *string
	evidence            bool
	page                int // 0 where it is not said
	images              [][]byte
}

// form is what an endpoint asks of its requests.
type form struct {
	images   []string // the members that hold pictures
	limit    int      // bytes of one picture
	existing bool     // a transaction id is required
	paged    bool     // the picture may be a page of a file
	// exists says whether what the path names is there; nil where it names nothing.
	exists func() error
}

// known are the names of the members that the form has.
func (f form) known() []string {
	names := append([]string{"transaction_id", "client_transaction_id", "evidence"}, f.images...)
	if f.paged {
		names = append(names, "page")
	}
	return names
}

// read checks the members of a request; those that the form does not name are ignored. With an error, what was understood until
// then comes along, if anything.
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
	if r.page, err = m.page(); err != nil {
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
type members struct {
	values map[string]jsontext.Value
	// other holds, by the name of a member that counts, one that differs from it in case alone.
	other map[string]string
	// reserve takes memory beside that of the body; nil takes none.
	reserve func(n int) error
}

// parseObject checks that body is one JSON object and nothing else, and returns the members whose names are known. The values
// lie in body. It is the one place that parses JSON from outside; what it costs is bounded by the length of the body, and it
// ends with ctx.
func parseObject(ctx context.Context, body []byte, known []string) (m members, err error) {
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
	m.values, m.other = map[string]jsontext.Value{}, map[string]string{}
	if err := m.read(d, body, known); err != nil {
		return m, jsonError(err)
	}
	if rest := bytes.TrimSpace(body[d.InputOffset():]); len(rest) > 0 {
		return m, appliance.Errorf(appliance.CodeBadRequest, "the body goes on after the JSON object: send one object alone")
	}
	return m, nil
}

func (m members) read(d *walker, body []byte, known []string) error {
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
			m.values[key] = jsontext.Value(bytes.TrimLeft(body[start:d.InputOffset()], ": \t\r\n"))
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

// absent reports whether a member is missing or null, which is the same.
func (m members) absent(name string) bool {
	return m.values[name] == nil || m.values[name].Kind() == 'n'
}

// text returns the content of a string member, between its quotes, with escapes resolved. It may lie in the body.
func (m members) text(name string) ([]byte, error) {
	v := m.values[name]
	if v.Kind() != '"' {
		return nil, memberError(name, "must be a string")
	}
	if bytes.IndexByte(v, '\\') < 0 {
		return v[1 : len(v)-1], nil
	}
	if m.reserve != nil {
		if err := m.reserve(len(v)); err != nil {
			return nil, err
		}
	}
	return jsontext.AppendUnquote(make([]byte, 0, len(v)), v)
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
	switch m.values[name].Kind() {
	case 't':
		return true, nil
	case 'f':
		return false, nil
	}
	return false, memberError(name, "must be true or false")
}

// page returns the number of a page, from 1, or 0 where there is none.
func (m members) page() (int, error) {
	if m.absent("page") {
		return 0, nil
	}
	n, err := strconv.Atoi(string(bytes.TrimSpace(m.values["page"])))
	if err != nil || n < 1 || n > maxPage {
		return 0, memberError("page", "must be a whole number from 1 to %d", maxPage)
	}
	return n, nil
}

// image decodes a picture, in the place of its text. One that is too large is CodePictureBytes, everything else that is wrong CodeBadRequest.
func (m members) image(name string, limit int) ([]byte, error) {
	if m.absent(name) {
		if m.other[name] != "" {
			return nil, memberError(name, "is missing: names of members are case-sensitive, and %s is another one", m.other[name])
		}
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
	var place *base64Place
	if errors.As(err, &place) {
		return nil, memberError(name, "holds a character that is not base64, at position %d: send the bytes of the picture's file in base64", place.at)
	}
	if err != nil {
		return nil, memberError(name, err.Error())
	}
	return image, nil
}

// memberError says what is wrong with a member.
func memberError(name, what string, args ...any) error {
	return appliance.Errorf(appliance.CodeBadRequest, "%s %s", name, appliance.Phrasef(what, args...))
}
