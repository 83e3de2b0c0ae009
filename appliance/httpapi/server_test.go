package httpapi

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/drift"
	"github.com/bawab/bawab/appliance/httpapi/browser"
	"github.com/bawab/bawab/appliance/httpapi/transport"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/appliance/review"
	"github.com/bawab/bawab/appliance/usecase"
)

// fixture is a whole server on a real listener, over stores in memory and a reader that a test chooses.
type fixture struct {
	t            *testing.T
	addr         string
	server       *Server
	keys         *appliance.Keyring
	key          string // has every scope
	clock        *appliancetest.Clock
	transactions *appliancetest.Transactions
	log          *logBuffer
	client       *http.Client
	secure       bool // speaks TLS
}

// logBuffer collects the log of a server.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// options are what a test changes about its fixture.
type options struct {
	cfg    Config
	decode func(context.Context, []byte) (*appliance.Picture, error)
	read   func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error)
	// readKind reads the documents of the kind that the model set brings.
	readKind func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error)
	queue    *queue.Queue
	health   Health
	readers  map[appliance.Endpoint]appliance.Reader
	faces    usecase.Faces
	tls      *tls.Config
	journal  appliance.Journal
	console  *browser.Console
	reviews  *appliancetest.Reviews // every picture is kept there
	drift    func(now func() time.Time) *drift.Watch
}

func start(t *testing.T, change ...func(*options)) *fixture {
	t.Helper()
	clock := appliancetest.NewClock()
	o := options{cfg: DefaultConfig(), read: readPassport, readKind: readClub, queue: queue.New(2, 8)}
	o.cfg.HeaderTimeout, o.cfg.RequestTimeout = 5*time.Second, 10*time.Second
	for _, c := range change {
		c(&o)
	}
	f := &fixture{t: t, clock: clock, log: &logBuffer{}, transactions: appliancetest.NewTransactions(30*time.Minute, clock.Now)}
	f.keys = appliance.NewKeyring(appliancetest.NewKeys(), clock.Now)
	f.key = f.addKey(appliance.Key{Name: "all", Scopes: appliance.Scopes()})
	if o.readers == nil {
		o.readers = map[appliance.Endpoint]appliance.Reader{}
		for _, e := range appliance.DocumentEndpoints() {
			o.readers[e] = appliancetest.Reader{ReadFunc: o.read}
		}
		o.readers[appliance.KindEndpoint(club().Kind)] = appliancetest.Reader{ReadFunc: o.readKind}
	}
	var keep *usecase.Reviewing
	deps := Deps{}
	if o.reviews != nil {
		keep = &usecase.Reviewing{
			Store: o.reviews,
			Keep:  24 * time.Hour,
			Rules: usecase.ReviewRules{Kinds: appliance.ReviewKinds(), Share: 1},
		}
		deps.Review = &Review{Store: o.reviews, LooksPerMinute: 10}
		deps.Erase = func(ctx context.Context, id, _ string) error {
			_, err := o.reviews.EraseReviews(ctx, func(r *review.Review) bool { return r.Transaction == id })
			return err
		}
	}
	if o.drift != nil {
		deps.Drift = o.drift(clock.Now)
	}
	f.server = New(o.cfg, Deps{
		Drift: deps.Drift, Review: deps.Review, Erase: deps.Erase, Appliance: usecase.New(usecase.Deps{
			Decoder:      appliancetest.PictureDecoder{DecodeFunc: o.decode},
			Networks:     usecase.Networks{Readers: o.readers, Kinds: []appliance.KindModel{club()}, Faces: o.faces},
			Transactions: f.transactions, Queue: o.queue, Now: clock.Now, Review: keep,
		}),
		Keys: f.keys, Health: o.health, Log: slog.New(slog.NewJSONHandler(f.log, nil)), Version: "test", Now: clock.Now, TLS: o.tls, Journal: o.journal, Console: o.console,
	})
	f.secure = o.tls != nil
	f.serve()
	return f
}

func (f *fixture) serve() {
	f.t.Helper()
	host := "127.0.0.1"
	if f.secure {
		host = "0.0.0.0" // loopback alone speaks no TLS
	}
	l, err := transport.Listen(f.t.Context(), host+":0")
	if err != nil {
		f.t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		f.t.Fatal(err)
	}
	f.addr = "127.0.0.1:" + port
	f.client = &http.Client{Transport: &http.Transport{TLSClientConfig: trusting()}, Timeout: 30 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- f.server.Serve(l) }()
	f.t.Cleanup(func() {
		f.client.CloseIdleConnections()
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := f.server.Shutdown(ctx); err != nil {
			f.t.Errorf("shutdown: %v", err)
		}
		if err := <-ended; err != nil {
			f.t.Errorf("serve: %v", err)
		}
	})
}

func (f *fixture) addKey(k appliance.Key) string {
	f.t.Helper()
	secret, err := f.keys.Add(context.Background(), k)
	if err != nil {
		f.t.Fatal(err)
	}
	return secret
}

// readPassport is a reading with one of everything.
func readPassport(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
	return appliance.Reading{
		Documents: []appliance.Document{{
			Kind:    appliance.Passport,
			Quad:    appliance.Quad{{X: 1, Y: 2}, {X: 101, Y: 2}, {X: 101, Y: 72}, {X: 1, Y: 72}},
			Capture: appliance.Capture{Sharpness: 0.25, Glare: 0.125, TooSmall: true, Blurred: true, Advice: "hold the camera still"},
			Fields: []appliance.Field{
				{Name: "country_code", Value: "EGY", Confidence: 0.99, Checks: []appliance.FieldCheck{{Name: "known_state", Passed: true}}},
				{
					Name:       "passport_no",
					Value:      "A1<&>2",
					Confidence: 0.5,
					Characters: []float64{1, 0.5, 1, 1, 1, 1},
					Raw:        "AI2",
					Repairs:    []string{"position 2: I read as 1, check digit"},
				},
				{Name: "name", Value: "منى MONA", DerivedFrom: []string{"country_code"}},
				{Name: "Date_of_Expiry", Value: "2020-01-31"},
			},
			Validations: []appliance.Validation{
				{Field: "Date_of_Expiry", Value: "2020-01-31", Errors: []appliance.Code{appliance.CodeExpired}},
			},
			Cues: []appliance.Cue{{Name: "moire", Score: 0.25, Threshold: 0.5}},
			Fake: true,
		}},
		Others: []appliance.Outline{
			{Kind: appliance.NationalIDBack, Quad: appliance.Quad{{X: 1, Y: 80}, {X: 101, Y: 80}, {X: 101, Y: 140}, {X: 1, Y: 140}}},
		},
		Lines:  []appliance.Line{{Text: "سطر", Confidence: 0.9}},
		Stages: []appliance.Stage{{Name: "locate", Elapsed: 3 * time.Millisecond}},
	}, nil
}

// answer is an HTTP answer with its envelope.
type answer struct {
	status   int
	header   http.Header
	raw      string
	Data     map[string]any `json:"data"`
	Services map[string]any `json:"Services"`
	Code     int            `json:"error_code"`
	Message  string         `json:"error_message"`
}

// do sends a request with the fixture's key unless the change takes it away.
func (f *fixture) do(method, path string, body io.Reader, change ...func(*http.Request)) answer {
	f.t.Helper()
	r, err := http.NewRequest(method, f.url(path), body)
	if err != nil {
		f.t.Fatal(err)
	}
	r.Header.Set("ApiKey", f.key)
	r.Header.Set("Content-Type", "application/json")
	for _, c := range change {
		c(r)
	}
	res, err := f.client.Do(r)
	if err != nil {
		f.t.Fatalf("%s %s: %v", method, path, err)
	}
	return f.read(res)
}

func (f *fixture) read(res *http.Response) answer {
	f.t.Helper()
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		f.t.Fatal(err)
	}
	a := answer{status: res.StatusCode, header: res.Header, raw: string(b)}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") && len(b) > 0 {
		if err := json.Unmarshal(b, &a); err != nil {
			f.t.Fatalf("answer is not JSON: %v\n%s", err, b)
		}
	}
	return a
}

func (f *fixture) post(path, body string, change ...func(*http.Request)) answer {
	f.t.Helper()
	return f.do("POST", path, strings.NewReader(body), change...)
}

// header returns a change that sets a header, or removes it when the value is "".
func header(name, value string) func(*http.Request) {
	return func(r *http.Request) {
		if value == "" {
			r.Header.Del(name)
		} else {
			r.Header.Set(name, value)
		}
	}
}

// want checks status, code and the rules that hold for every failure.
func (f *fixture) want(what string, a answer, status, code int) {
	f.t.Helper()
	if a.status != status || a.Code != code {
		f.t.Errorf("%s: HTTP %d with code %d %q, want %d with %d", what, a.status, a.Code, a.Message, status, code)
	}
	if (code != 0) != (a.Message != "") {
		f.t.Errorf("%s: code %d comes with message %q", what, a.Code, a.Message)
	}
	if code != 0 && !strings.HasPrefix(a.raw, `{"data":null,"Services":null,"error_code":`) {
		f.t.Errorf("%s: not the envelope of a failure: %s", what, a.raw)
	}
}

// sample is a request body with a picture.
func sample(members ...string) string {
	return "{" + strings.Join(append(members, `"image":"`+base64.StdEncoding.EncodeToString([]byte("a picture"))+`"`), ",") + "}"
}

// eventually polls a condition until it holds or ten seconds are over.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(10 * time.Second)
	for !holds() {
		select {
		case <-deadline:
			t.Fatalf("%s: not within ten seconds", what)
		case <-tick.C:
		}
	}
}

// metric reads one sample of /metrics, "" when it is not there.
func (f *fixture) metric(name string) string {
	f.t.Helper()
	for line := range strings.Lines(f.do("GET", "/metrics", nil).raw) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// TestShutdownAtOnce: a server that is stopped before it has begun to serve ends all the same.
func TestShutdownAtOnce(t *testing.T) {
	f := start(t)
	for range 20 {
		s, ended := New(f.server.cfg, f.server.deps), make(chan error, 1)
		l, err := transport.Listen(t.Context(), "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() { ended <- s.Serve(l) }()
		if err := s.Shutdown(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	}
}
