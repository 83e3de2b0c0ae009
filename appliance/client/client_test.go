package client

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// reply is what a server answers.
type reply struct {
	status int
	after  string
	body   string
}

const plate = `{"data":{"result":"س ن ب 1234","transaction_id":"t","client_transaction_id":null,"request_id":"r"},
	"Services":{"Validations":{"validation_errors":[]},"spoofing":{"fake":false},"classification":{"doc_type":"license_plate"}},
	"error_code":0,"error_message":""}`

func failed(code string) string {
	return `{"data":null,"Services":null,"error_code":` + code + `,"error_message":"sentence"}`
}

// replies is a transport that gives one reply after the other and keeps the requests.
type replies struct {
	t        *testing.T
	left     []reply
	requests []*http.Request
	members  []map[string]any
}

// RoundTrip implements http.RoundTripper.
func (r *replies) RoundTrip(request *http.Request) (*http.Response, error) {
	var members map[string]any
	if err := json.NewDecoder(request.Body).Decode(&members); err != nil {
		r.t.Error(err)
	}
	r.requests, r.members = append(r.requests, request), append(r.members, members)
	if len(r.left) == 0 {
		<-request.Context().Done()
		return nil, request.Context().Err()
	}
	next := r.left[0]
	r.left = r.left[1:]
	w := httptest.NewRecorder()
	w.Header().Set("X-Request-Id", "r")
	if next.after != "" {
		w.Header().Set("Retry-After", next.after)
	}
	w.WriteHeader(next.status)
	_, _ = w.WriteString(next.body)
	return w.Result(), nil
}

func answered(t *testing.T, list ...reply) (*Client, *replies) {
	r := &replies{t: t, left: list}
	c := New("http://appliance/", "secret")
	c.HTTP, c.Language = &http.Client{Transport: r}, "ar"
	return c, r
}

// TestRequest: a request has the key, the language, the picture in base64 and no member that was not given; the answer is typed.
func TestRequest(t *testing.T) {
	c, sent := answered(t, reply{200, "", plate})
	a, err := c.LicensePlate(t.Context(), []byte("abc"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := sent.requests[0]
	if r.URL.String() != "http://appliance/v1/ocr/license_plate" || r.Header.Get("ApiKey") != "secret" ||
		r.Header.Get("Accept-Language") != "ar" {
		t.Errorf("%s %v", r.URL, r.Header)
	}
	if len(sent.members[0]) != 1 || sent.members[0]["image"] != "YWJj" {
		t.Errorf("%v", sent.members[0])
	}
	if a.Data.Result != "س ن ب 1234" || a.Services.Classification.DocType != "license_plate" || a.RequestID != "r" ||
		a.Data.ClientTransactionID != nil {
		t.Errorf("%+v", a)
	}
}

// TestKind: a document of a kind that a model pack brings is asked for by its name, and answered with the fields of the kind.
func TestKind(t *testing.T) {
	c, sent := answered(t, reply{200, "", `{
	"data":{"member":"منى","until":null,"transaction_id":"t","client_transaction_id":null,"request_id":"r"},
	"Services":{"Validations":{"validation_errors":[]},"spoofing":{"fake":false},"classification":{"doc_type":"club_card"}},
	"error_code":0,"error_message":""}`})
	a, err := c.Kind(t.Context(), "club_card", []byte("abc"), Options{})
	if err != nil || sent.requests[0].URL.Path != "/v1/ocr/kinds/club_card" {
		t.Fatalf("%v, %v", sent.requests, err)
	}
	if a.Data["member"] == nil || *a.Data["member"] != "منى" || a.Data["until"] != nil || a.Services.Classification.DocType != "club_card" {
		t.Errorf("%+v", a)
	}
}

// TestRetries: an answer with Retry-After is tried again after that time; one without it, or with too long a wait, is not, and no
// answer is tried more often than asked for.
func TestRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, sent := answered(t, reply{503, "2", failed("503")}, reply{429, "1", failed("429")}, reply{200, "", plate})
		began := time.Now()
		if _, err := c.LicensePlate(t.Context(), nil, Options{}); err != nil || len(sent.requests) != 3 || time.Since(began) != 3*time.Second {
			t.Errorf("%v after %d requests and %v", err, len(sent.requests), time.Since(began))
		}
		for _, after := range []string{"", "31", "soon"} {
			c, sent := answered(t, reply{503, after, failed("503")}, reply{200, "", plate})
			_, err := c.LicensePlate(t.Context(), nil, Options{})
			if !errors.Is(err, &Error{Code: CodeUnavailable}) || len(sent.requests) != 1 {
				t.Errorf("Retry-After %q: %v after %d requests", after, err, len(sent.requests))
			}
		}
		c, sent = answered(t, reply{429, "1", failed("429")}, reply{429, "1", failed("429")}, reply{200, "", plate})
		c.Retries = 1
		if _, err := c.LicensePlate(t.Context(), nil, Options{}); !errors.Is(err, &Error{Code: CodeTooMany}) || len(sent.requests) != 2 {
			t.Errorf("%v after %d requests", err, len(sent.requests))
		}
	})
}

// TestErrors: a failure has its code, sentence, status and request id; what is no answer of bawab is an error of another kind.
func TestErrors(t *testing.T) {
	c, _ := answered(t, reply{400, "", failed("3011")}, reply{502, "", "<html>"}, reply{200, "", "{}"})
	_, err := c.IDFront(t.Context(), nil, Options{})
	var e *Error
	if !errors.As(err, &e) || e.Code != CodeNoDocument || e.Message != "sentence" || e.Status != 400 || e.RequestID != "r" {
		t.Errorf("%v", err)
	}
	for range 2 {
		if _, err := c.IDFront(t.Context(), nil, Options{}); err == nil || errors.As(err, &e) {
			t.Errorf("%v", err)
		}
	}
}

// TestCancel: the context ends a call in its wait for the answer and between two tries.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, list := range [][]reply{nil, {{503, "20", failed("503")}}} {
			c, _ := answered(t, list...)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			began := time.Now()
			if _, err := c.IDFront(ctx, nil, Options{}); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
				t.Errorf("%v after %v", err, time.Since(began))
			}
			cancel()
		}
	})
}

// TestOthers: the clients for Python and TypeScript pass their own tests, where their languages are installed.
func TestOthers(t *testing.T) {
	for _, command := range [][]string{{"python3", "python/tests/test_client.py"}, {"node", "--test", "typescript/tests/"}} {
		t.Run(command[0], func(t *testing.T) {
			if _, err := exec.LookPath(command[0]); err != nil {
				t.Skipf("no %s on this machine", command[0])
			}
			out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "OK") && !strings.Contains(string(out), "# fail 0") {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}
