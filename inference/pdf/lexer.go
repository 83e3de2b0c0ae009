package pdf

import (
	"bytes"
	"errors"
	"strconv"
)

// The kinds of objects beside bool, float64, nil and []any.
type (
	name    string
	text    []byte
	keyword string
	dict    map[name]any
	ref     int
	stream  struct {
		dict dict
		raw  []byte
	}
)

// Bounds of what a file may ask for.
const (
	maxTokens   = 1_500_000
	maxDepth    = 64
	maxScanned  = 64 << 20
	maxInflated = 32 << 20
)

var (
	errSyntax = errors.New("pdf: syntax")
	errBounds = errors.New("pdf: asks for more work than a scanned page needs")
)

// budget is what a file may still ask for. It counts down over all lexers and streams of a file.
type budget struct {
	tokens   int
	scanned  int // bytes that may still be gone through
	inflated int // bytes that may still come out of streams
	pixels   int // that may still be decoded
}

// spent reports whether a file has asked for too much.
func (w *budget) spent() bool { return w.tokens < 0 || w.scanned < 0 || w.inflated < 0 || w.pixels < 0 }

// lexer reads tokens and objects, and charges each and the bytes it takes.
type lexer struct {
	b  []byte
	at int
	*budget
}

// charge counts the bytes that were gone through from start on.
func (l *lexer) charge(start int) { l.scanned -= l.at - start }

func space(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func delimiter(c byte) bool { return bytes.IndexByte([]byte("()<>[]{}/%"), c) >= 0 }

// blank goes over white space and comments.
func (l *lexer) blank() {
	defer l.charge(l.at)
	for l.at < len(l.b) {
		switch c := l.b[l.at]; {
		case space(c):
			l.at++
		case c == '%':
			end := bytes.IndexAny(l.b[l.at:], "\r\n")
			if end < 0 {
				end = len(l.b) - l.at
			}
			l.at += end
		default:
			return
		}
	}
}

// regular returns the run of regular characters that begins here.
func (l *lexer) regular() []byte {
	start := l.at
	for l.at < len(l.b) && !space(l.b[l.at]) && !delimiter(l.b[l.at]) {
		l.at++
	}
	l.charge(start)
	return l.b[start:l.at]
}

// object reads one object or keyword; the end of the bytes is a keyword without letters. A reference is told by who reads a number, a
// number and R, see value.
func (l *lexer) object(depth int) (any, error) {
	if l.tokens--; l.spent() || depth > maxDepth {
		return nil, errBounds
	}
	l.blank()
	if l.at >= len(l.b) {
		return keyword(""), nil
	}
	switch c := l.b[l.at]; {
	case c == '/':
		l.at++
		return unescape(l.regular()), nil
	case c == '(':
		return l.literal()
	case c == '<' && l.at+1 < len(l.b) && l.b[l.at+1] == '<':
		l.at += 2
		return l.dict(depth)
	case c == '<':
		return l.hex()
	case c == '[':
		l.at++
		return l.array(depth)
	case delimiter(c):
		l.at++
		if c == '>' && l.at < len(l.b) && l.b[l.at] == '>' {
			l.at++
			return keyword(">>"), nil
		}
		return keyword(string(c)), nil
	}
	return word(l.regular()), nil
}

func word(b []byte) any {
	switch string(b) {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	}
	if c := b[0]; c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' {
		if len(b) < 32 {
			if f, err := strconv.ParseFloat(string(b), 64); err == nil && f > -1e12 && f < 1e12 {
				return f
			}
		}
	}
	return keyword(b)
}

// unescape resolves the #xx of a name.
func unescape(b []byte) name {
	if bytes.IndexByte(b, '#') < 0 {
		return name(b)
	}
	var out []byte
	for i := 0; i < len(b); i++ {
		if b[i] == '#' && i+2 < len(b) {
			if v, err := strconv.ParseUint(string(b[i+1:i+3]), 16, 8); err == nil {
				out = append(out, byte(v))
				i += 2
				continue
			}
		}
		out = append(out, b[i])
	}
	return name(out)
}

// value reads an object in which references may stand.
func (l *lexer) value(depth int) (any, error) {
	v, err := l.object(depth)
	if n, ok := v.(float64); ok && err == nil && n >= 0 && n == float64(int(n)) {
		was := l.at
		if g, err := l.object(depth); err == nil {
			if _, ok := g.(float64); ok {
				if r, err := l.object(depth); err == nil && r == any(keyword("R")) {
					return ref(n), nil
				}
			}
		}
		l.at = was
	}
	return v, err
}

func (l *lexer) array(depth int) (any, error) {
	out := []any{}
	for {
		v, err := l.value(depth + 1)
		if err != nil {
			return nil, err
		}
		if k, ok := v.(keyword); ok {
			if k == "]" {
				return out, nil
			}
			return nil, errSyntax
		}
		out = append(out, v)
	}
}

func (l *lexer) dict(depth int) (any, error) {
	out := dict{}
	for {
		k, err := l.object(depth + 1)
		if err != nil {
			return nil, err
		}
		if k == any(keyword(">>")) {
			return out, nil
		}
		key, ok := k.(name)
		if !ok {
			return nil, errSyntax
		}
		v, err := l.value(depth + 1)
		if err != nil {
			return nil, err
		}
		if _, ok := v.(keyword); ok {
			return nil, errSyntax
		}
		out[key] = v
	}
}

// literal reads a string in parentheses.
func (l *lexer) literal() (any, error) {
	defer l.charge(l.at)
	var out text
	for depth := 0; l.at < len(l.b); l.at++ {
		c := l.b[l.at]
		switch c {
		case '(':
			if depth++; depth == 1 {
				continue
			}
		case ')':
			if depth--; depth == 0 {
				l.at++
				return out, nil
			}
		case '\\':
			out = l.escape(out)
			continue
		}
		out = append(out, c)
	}
	return nil, errSyntax
}

// escape reads what follows a backslash, up to its last byte.
func (l *lexer) escape(out text) text {
	if l.at++; l.at >= len(l.b) {
		return out
	}
	c := l.b[l.at]
	if i := bytes.IndexByte([]byte("nrtbf"), c); i >= 0 {
		return append(out, "\n\r\t\b\f"[i])
	}
	if c == '\n' || c == '\r' {
		return out
	}
	if c < '0' || c > '7' {
		return append(out, c)
	}
	v := 0
	for i := 0; i < 3 && l.at < len(l.b) && l.b[l.at] >= '0' && l.b[l.at] <= '7'; i++ {
		v = v<<3 | int(l.b[l.at]-'0')
		l.at++
	}
	l.at--
	return append(out, byte(v))
}

// hex reads a string of hexadecimal digits.
func (l *lexer) hex() (any, error) {
	defer l.charge(l.at)
	end := bytes.IndexByte(l.b[l.at:], '>')
	if end < 0 {
		l.at = len(l.b)
		return nil, errSyntax
	}
	out := unhex(l.b[l.at+1 : l.at+end])
	l.at += end + 1
	return text(out), nil
}

// unhex reads pairs of hexadecimal digits and leaves out what is none; a missing last digit is 0.
func unhex(b []byte) []byte {
	var out []byte
	half, v := false, byte(0)
	for _, c := range b {
		d := bytes.IndexByte([]byte("0123456789abcdef"), c|0x20)
		if c >= '0' && c <= '9' {
			d = int(c - '0')
		}
		if d < 0 {
			continue
		}
		if v = v<<4 | byte(d); half {
			out = append(out, v)
		}
		half = !half
	}
	if half {
		out = append(out, v<<4)
	}
	return out
}
