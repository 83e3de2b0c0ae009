package wire

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The bytes below are what the generated code of etcd 3.6 (go.etcd.io/etcd/api/v3) makes of the same messages.
const (
	headerBytes = "1a08808080808080808080011085808080808080808001184d2003"
	foundBytes  = "0a" + headerBytes + "120e0a016b1005184620022a0176300912050a016c184718012005"
	doneBytes   = "0a" + headerBytes + "10011a1e121c0a" + headerBytes + "1a390a370a" + headerBytes + "120e0a016b1005184620022a0176300912050a016c184718012005"
	statusBytes = "0a" + headerBytes + "1206332e342e32331880c0022085808080808080808001280930033809420e616c61726d3a4e4f5350414345204880a00150015a03332e36"
	leaseBytes  = "0a" + headerBytes + "10b588b1a9e2c6e2a66918c40e"
)

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Requests are written byte for byte as etcd's own code writes them.
func TestWrites(t *testing.T) {
	for want, got := range map[string][]byte{
		"0a05686561642f1205686561643018f403208080808080204001": Range{Key: "head/", End: PrefixEnd("head/"), Limit: 500, Revision: 1 << 40, KeysOnly: true}.message(),
		"0a0710021a016b3000121412120a016b12030001ff18b588b1a9e2c6e2a669120a1a080a02722f120272301a050a030a016b": Txn{
			If:   &Unchanged{Key: "k"},
			Then: []Op{Put{Key: "k", Value: []byte{0, 1, 255}, Lease: 7587872912345678901}, DeletePrefix("r/")},
			Else: []Op{Range{Key: "k"}},
		}.message(),
		"0a0810021a016b30ac02": Txn{If: &Unchanged{Key: "k", Modified: 300}}.message(),
	} {
		if hex.EncodeToString(got) != want {
			t.Errorf("got  %x\nwant %s", got, want)
		}
	}
}

// Answers are read as etcd's own code writes them, and what is not known in them is passed over.
func TestReads(t *testing.T) {
	found := Found{Revision: 77, More: true, Keys: []KeyValue{{Key: "k", Value: []byte("v"), Modified: 70, Lease: 9}, {Key: "l", Modified: 71}}}
	var gotFound Found
	var gotDone Done
	var gotStatus Status
	for _, c := range []struct {
		bytes     string
		read      func([]byte) error
		got, want any
	}{
		{foundBytes, gotFound.read, &gotFound, &found},
		{doneBytes, gotDone.read, &gotDone, &Done{Revision: 77, Held: true, Found: []Found{{}, found}}},
		{statusBytes, gotStatus.read, &gotStatus, &Status{Member: 1<<63 + 5, Leader: 1<<63 + 5, Version: "3.4.23", Size: 40960, Used: 20480, Errors: []string{"alarm:NOSPACE "}}},
	} {
		newer := unhex(t, c.bytes+"fd1f01020304"+"f91f0102030405060708"+"fa1f03010203") // fields 511 of three kinds
		if err := c.read(newer); err != nil {
			t.Errorf("%T: %v", c.want, err)
		}
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%T: %s", c.want, diff)
		}
	}
}

// member is an HTTP server in the place of a member, and a client of it.
func member(t *testing.T, handle http.HandlerFunc) (*httptest.Server, *Client) {
	t.Helper()
	server := httptest.NewUnstartedServer(handle)
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	c := New(server.Listener.Addr().String(), server.Client().Transport.(*http.Transport).TLSClientConfig.Clone())
	t.Cleanup(c.Close)
	return server, c
}

// reply is an answer with a trailer.
func reply(body, status, message string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // some of them send it on, and some do not
		w.Header().Set("Trailer", "Grpc-Status, Grpc-Message")
		w.Header().Set("Content-Type", "application/grpc")
		_, _ = io.WriteString(w, body)
		w.Header().Set("Grpc-Status", status)
		w.Header().Set("Grpc-Message", message)
	}
}

// frame is a message as it goes over the wire.
func frame(message []byte) string {
	return string([]byte{0, 0, 0, byte(len(message) >> 8), byte(len(message))}) + string(message)
}

// However a call ends, its caller learns whether it was carried out, refused, or is not known to have been.
func TestEnds(t *testing.T) {
	done := frame(unhex(t, doneBytes))
	steps := []Op{Put{Key: "k"}, Range{Key: "k"}}
	for name, c := range map[string]struct {
		handle http.HandlerFunc
		want   error  // an answer of a member
		broken string // in the words of an error without one
	}{
		"carried out":           {handle: reply(done, "0", "")},
		"refused":               {handle: reply("", "5", "etcdserver: requested lease not found"), want: ErrLeaseNotFound},
		"refused with escapes":  {handle: reply("", "8", "etcdserver%3A mvcc: database%20space exceeded"), want: ErrNoSpace},
		"refused with a letter": {handle: reply("", "9", "100%"), want: &Error{Code: 9, Msg: "100%"}},
		"refused without a body": {handle: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Grpc-Status", "11")
			w.Header().Set("Grpc-Message", "etcdserver: mvcc: required revision has been compacted")
		}, want: ErrCompacted},
		"refused after a message":   {handle: reply(done, "8", "etcdserver: too many requests"), want: ErrTooManyRequests},
		"without a status":          {handle: func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, done) }, broken: "without a status"},
		"without a message":         {handle: reply("", "0", ""), broken: "EOF"},
		"cut message":               {handle: reply(done[:20], "0", ""), broken: "bytes and not"},
		"two messages":              {handle: reply(done+done, "0", ""), broken: "bytes and not"},
		"compressed":                {handle: reply("\x01"+done[1:], "0", ""), broken: "compressed"},
		"not a message":             {handle: reply(frame([]byte{0x0a, 0x05, 1}), "0", ""), broken: "malformed"},
		"steps unanswered":          {handle: reply(frame(unhex(t, doneBytes)[:30]), "0", ""), broken: "2 steps"},
		"no etcd":                   {handle: http.NotFound, broken: "404"},
		"connection cut in between": {handle: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, broken: "stream error"},
	} {
		t.Run(name, func(t *testing.T) {
			_, client := member(t, c.handle)
			got, err := client.Txn(t.Context(), Txn{Then: steps})
			switch e := (*Error)(nil); {
			case c.want == nil && c.broken == "":
				if err != nil || len(got.Found) != 2 || len(got.Found[1].Keys) != 2 {
					t.Errorf("got %+v, %v", got, err)
				}
			case c.want != nil && !errors.Is(err, c.want):
				t.Errorf("got %v, want %v", err, c.want)
			case c.broken != "" && (!errors.As(err, &e) || e.Code != CodeUnavailable || e.Err == nil || !strings.Contains(err.Error(), c.broken)):
				t.Errorf("got %v, want %q", err, c.broken)
			}
		})
	}
}

// A lease that has run out is told from one that goes on, which etcd shows by its time to live alone.
func TestKeepAlive(t *testing.T) {
	for body, want := range map[string]error{leaseBytes: nil, leaseBytes[:len(leaseBytes)-6]: ErrLeaseNotFound} {
		_, client := member(t, reply(frame(unhex(t, body)), "0", ""))
		if err := client.KeepAlive(t.Context(), 7587872912345678901); !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
	}
	_, client := member(t, reply(frame(unhex(t, leaseBytes)), "0", ""))
	if l, err := client.Grant(t.Context(), 1860); err != nil || l != 7587872912345678901 {
		t.Errorf("granted %d, %v", l, err)
	}
}

// A call whose connection breaks is not sent a second time by anybody but its caller, and the next one connects anew.
func TestSentOnce(t *testing.T) {
	var calls atomic.Int32
	var server *httptest.Server
	server, client := member(t, func(w http.ResponseWriter, r *http.Request) {
		if n := calls.Add(1); n%2 == 0 {
			server.CloseClientConnections()
			return
		}
		reply(frame(unhex(t, doneBytes)), "0", "")(w, r)
	})
	txn := Txn{Then: []Op{Put{Key: "k"}, Range{Key: "k"}}}
	for round := range 5 {
		if _, err := client.Txn(t.Context(), txn); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if _, err := client.Txn(t.Context(), txn); err == nil {
			t.Fatalf("round %d: a call without an answer succeeded", round)
		}
	}
	if calls.Load() != 10 {
		t.Errorf("10 calls arrived %d times", calls.Load())
	}
}

// A caller that gives up gets its own reason at once, whatever the member does.
func TestGivenUp(t *testing.T) {
	arrived, release := make(chan struct{}), make(chan struct{})
	_, client := member(t, func(http.ResponseWriter, *http.Request) {
		close(arrived)
		<-release
	})
	defer close(release)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-arrived
		cancel()
	}()
	began := time.Now()
	if _, err := client.Status(ctx); !errors.Is(err, context.Canceled) || time.Since(began) > 5*time.Second {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
}

// No answer, however broken, is more than refused, and none makes more of itself than it brought.
func FuzzRead(f *testing.F) {
	for _, text := range []string{foundBytes, doneBytes, statusBytes, leaseBytes, ""} {
		f.Add(unhex(f, text))
	}
	f.Fuzz(func(t *testing.T, message []byte) {
		var found Found
		var done Done
		var status Status
		before := bytes.Clone(message)
		for _, read := range []func([]byte) error{found.read, done.read, status.read} {
			_ = read(message) // most are refused
		}
		if !bytes.Equal(message, before) {
			t.Error("reading changed the message")
		}
		if len(found.Keys)+len(done.Found)+len(status.Errors) > 3*len(message) {
			t.Errorf("%d bytes became %d keys, %d steps, %d alarms", len(message), len(found.Keys), len(done.Found), len(status.Errors))
		}
	})
}
