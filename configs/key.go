package configs

import (
	"fmt"
	"math"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Bytes is a size in bytes. Its text is a whole number with an optional KiB, MiB or GiB.
type Bytes int64

var units = [...]struct {
	name string
	size Bytes
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}

// String writes the size with the largest unit that divides it.
func (b Bytes) String() string {
	for _, u := range units {
		if b != 0 && b%u.size == 0 {
			return strconv.FormatInt(int64(b/u.size), 10) + u.name
		}
	}
	return strconv.FormatInt(int64(b), 10)
}

// UnmarshalText reads what String writes.
func (b *Bytes) UnmarshalText(text []byte) error {
	number, size := strings.TrimSpace(string(text)), Bytes(1)
	for _, u := range units {
		if rest, ok := strings.CutSuffix(number, u.name); ok {
			number, size = strings.TrimSpace(rest), u.size
			break
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/int64(size) {
		return fmt.Errorf("%q is no size: write a number of bytes, or one with KiB, MiB or GiB", text)
	}
	*b = Bytes(n) * size
	return nil
}

// key describes one configuration key: everything that checks, schema and documentation say about it.
type key struct {
	path     string
	fallback string
	kind     kind
	// lo and hi are inclusive limits: of a number, of a size in bytes or of a duration in nanoseconds.
	lo, hi int64
	// choices are the allowed texts; empty means any that is not blank.
	choices []string
	// optional allows the empty text.
	optional bool
	// each says what is wrong with one item of a list, "" when nothing is.
	each func(item string) string
	doc  string
	hint string
}

type kind int

const (
	text kind = iota
	address
	number
	size
	duration
	list
	truth
)

func (k key) env() string { return envName(k.path) }

func envName(path string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(path, ".", "_"))
}

// keys is the table of all configuration keys in the order in which they are shown.
func keys() []key {
	return slices.Concat(
		generalKeys(),
		branchKeys(),
		workKeys(),
		faceKeys(),
		cameraKeys(),
		kioskKeys(),
		httpKeys(),
		networkKeys(),
		auditKeys(),
		reviewKeys(),
	)
}

func generalKeys() []key {
	return []key{
		{
			path: "listen", fallback: "127.0.0.1:8080", kind: address,
			doc: "address and port to listen on; port 0 takes a free one", hint: "write HOST:PORT, as 127.0.0.1:8080",
		},
		{
			path: "data", fallback: "/var/lib/bawab",
			doc: "folder of the store, the appliance key and the control socket", hint: "name a folder that the daemon may write to",
		},
		{
			path: "log.level", fallback: "info", choices: []string{"debug", "info", "warn", "error"},
			doc: "least level that is logged", hint: "info logs one line per request",
		},
		{
			path: "log.format", fallback: "json", choices: []string{"json", "text"},
			doc: "form of the log on standard error", hint: "text is easier on the eye, json on machines",
		},
		{
			path: "store.key_file", optional: true,
			doc: "file of the appliance key, 32 bytes; by default bawab.key of the systemd credentials or else appliance.key in the data folder, made at the first start", hint: "name a file of mode 0600",
		},
		{
			path: "store.ttl", fallback: "30m0s", kind: duration, lo: int64(time.Minute), hi: int64(24 * time.Hour),
			doc: "life of a transaction after its last request", hint: "write a duration with its unit, as 30m",
		},
		{
			path: "store.max_age", fallback: "24h0m0s", kind: duration, lo: int64(time.Minute), hi: int64(30 * 24 * time.Hour),
			doc: "life of a transaction after its first request at the latest, however often it is renewed", hint: "write a duration with its unit, as 24h",
		},
		{
			path: "store.sweep", fallback: "30s", kind: duration, lo: int64(time.Second), hi: int64(time.Hour),
			doc: "how often expired transactions are erased", hint: "write a duration with its unit, as 30s",
		},
		{
			path: "store.min_free", fallback: "64MiB", kind: size, lo: 1 << 20, hi: 1 << 40,
			doc: "room on the disk of the data folder below which a warning is given; a transaction takes a few KiB", hint: "write a size, as 64MiB",
		},
	}
}

func workKeys() []key {
	return []key{
		{
			path: "picture.max_bytes", fallback: "8MiB", kind: size, lo: 1 << 10, hi: 64 << 20,
			doc: "largest picture file", hint: "write a size, as 8MiB",
		},
		{
			path: "picture.max_pixels", fallback: "25000000", kind: number, lo: 4096, hi: 100_000_000,
			doc: "most pixels of a picture, of which a side may have 16,384; each takes up to 3 bytes, and decoding one up to 104 MB more; GOMEMLIMIT and the unit's MemoryMax are made for 25 million", hint: "write a number of pixels",
		},
		{
			path: "picture.min_side", fallback: "64", kind: number, lo: 16, hi: 4096,
			doc: "least width and height in pixels", hint: "smaller pictures hold no readable document",
		},
		{
			path: "picture.max_time", fallback: "20s", kind: duration, lo: int64(5 * time.Second), hi: int64(10 * time.Minute),
			doc: "how long a picture may take to be decoded and read before it is answered 3011", hint: "write a duration with its unit, as 20s",
		},
		{
			path: "queue.workers", fallback: "0", kind: number, lo: 0, hi: 256,
			doc: "pictures read at the same time; 0 takes one worker per core", hint: "more workers than cores only cost memory",
		},
		{
			path: "queue.waiting", fallback: "16", kind: number, lo: 0, hi: 10_000,
			doc: "requests that may wait for a worker before others get 503", hint: "each waiting request holds its picture in memory",
		},
		{
			path: "keys.bind_transactions", fallback: "false", kind: truth,
			doc: "a transaction belongs to the API key that began it; for other keys, but those with the scope admin, it is unknown (4101)", hint: "write true where several parties have keys",
		},
	}
}

func httpKeys() []key {
	seconds := "write a duration with its unit, as 10s"
	return []key{
		{
			path: "http.max_body_bytes", fallback: "16MiB", kind: size, lo: 64 << 10, hi: 256 << 20,
			doc: "largest request body", hint: "write a size, as 16MiB",
		},
		{
			path: "http.max_liveness_body_bytes", fallback: "40MiB", kind: size, lo: 64 << 10, hi: 512 << 20,
			doc: "largest body of a liveness request, which carries three pictures", hint: "write a size, as 40MiB",
		},
		{
			path: "http.max_buffered_bytes", fallback: "80MiB", kind: size, lo: 1 << 20, hi: 16 << 30,
			doc: "all request bodies in memory together, of which the requests of one key get at most half; above it requests get 503", hint: "write a size, as 80MiB",
		},
		{
			path: "http.max_header_bytes", fallback: "16KiB", kind: size, lo: 4 << 10, hi: 1 << 20,
			doc: "largest request header", hint: "write a size, as 16KiB",
		},
		{
			path: "http.header_timeout", fallback: "10s", kind: duration, lo: int64(time.Second), hi: int64(time.Minute),
			doc: "time to send the request header", hint: seconds,
		},
		{
			path: "http.read_timeout", fallback: "1m0s", kind: duration, lo: int64(time.Second), hi: int64(10 * time.Minute),
			doc: "time to send the whole request", hint: seconds,
		},
		{
			path: "http.write_timeout", fallback: "30s", kind: duration, lo: int64(time.Second), hi: int64(10 * time.Minute),
			doc: "time to take the answer", hint: seconds,
		},
		{
			path: "http.idle_timeout", fallback: "1m0s", kind: duration, lo: int64(time.Second), hi: int64(time.Hour),
			doc: "time that an idle connection is kept", hint: seconds,
		},
		{
			path: "http.drain_timeout", fallback: "10s", kind: duration, lo: int64(time.Second), hi: int64(5 * time.Minute),
			doc: "time for running requests to finish when the daemon stops", hint: seconds,
		},
		{
			path: "http.max_connections", fallback: "1024", kind: number, lo: 1, hi: 65536,
			doc: "connections open at the same time; others wait. The requests of one key arrive on at most half of them", hint: "a kiosk needs few",
		},
		{
			path: "http.bad_keys_per_minute", fallback: "60", kind: number, lo: 1, hi: 100_000,
			doc: "wrong API keys a minute from one address before it gets 429", hint: "a right key still works",
		},
	}
}

// parse turns a value as viper returns it into the one to decode, or says what is wrong with it. Numbers, sizes and
// durations are read in their text form, whichever source they came from.
func (k key) parse(value any) (parsed any, problem string) {
	if k.kind == list {
		return k.parseList(value)
	}
	s := fmt.Sprint(value)
	switch value.(type) {
	case string, int, int64, uint64, float64, bool:
	default:
		return nil, "must be a single value, " + k.allowed()
	}
	switch k.kind {
	case address:
		host, port, err := net.SplitHostPort(s)
		_, perr := strconv.ParseUint(port, 10, 16)
		if err != nil || perr != nil || host == "" {
			return nil, "must be " + k.allowed()
		}
	case number:
		n, err := strconv.ParseInt(s, 10, 64)
		return n, k.within(n, err)
	case size:
		var b Bytes
		err := b.UnmarshalText([]byte(s))
		return int64(b), k.within(int64(b), err)
	case duration:
		d, err := time.ParseDuration(s)
		return d, k.within(int64(d), err)
	case truth:
		b, err := strconv.ParseBool(s)
		if err != nil {
			return nil, "must be " + k.allowed()
		}
		return b, ""
	default:
		if strings.TrimSpace(s) == "" && !k.optional || len(k.choices) > 0 && !slices.Contains(k.choices, s) {
			return nil, "must be " + k.allowed()
		}
	}
	return s, ""
}

func (k key) within(n int64, err error) string {
	if err != nil || n < k.lo || n > k.hi {
		return "must be " + k.allowed()
	}
	return ""
}

// allowed says in words which values the key takes.
func (k key) allowed() string { return k.takes().String() }

// takes says which values the key takes.
func (k key) takes() Allowed {
	switch k.kind {
	case address:
		return Allowed{Format: "an address with a port"}
	case number:
		return Allowed{"a whole number from %d to %d", []any{k.lo, k.hi}}
	case size:
		return Allowed{"a size from %s to %s", []any{Bytes(k.lo), Bytes(k.hi)}}
	case list:
		return Allowed{Format: "a list of texts"}
	case truth:
		return Allowed{Format: "true or false"}
	case duration:
		return Allowed{"a duration from %s to %s", []any{short(time.Duration(k.lo)), short(time.Duration(k.hi))}}
	}
	if len(k.choices) > 0 {
		return Allowed{"one of %s", []any{strings.Join(k.choices, ", ")}}
	}
	if k.optional {
		return Allowed{Format: "any text"}
	}
	return Allowed{Format: "a text that is not empty"}
}

// short writes a duration without its zero tail: 30m instead of 30m0s.
func short(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
