package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Client calls one appliance. Its fields may be changed before the first call; then it is safe for concurrent use.
type Client struct {
	// URL is http://HOST:PORT or https://HOST:PORT.
	URL string
	// Key is the API key.
	Key string
	// HTTP sends the requests; nil means http.DefaultClient. Its transport holds the certificates that are trusted.
	HTTP *http.Client
	// Language is that of messages: "en" (also when it is empty) or "ar".
	Language string
	// Retries is how often an answer with Retry-After is tried again, where the wait is at most LongestWait.
	Retries     int
	LongestWait time.Duration
}

// New makes a client that tries three times again and waits up to 30 seconds each time.
func New(address, key string) *Client {
	return &Client{URL: address, Key: key, Retries: 3, LongestWait: 30 * time.Second}
}

// Answer is a successful answer. Services is nil for face checks without evidence.
type Answer[D, S any] struct {
	Data      D  `json:"data"`
	Services  *S `json:"Services"`
	RequestID string
}

// Error is an answer that failed.
type Error struct {
	Code       ErrorCode
	Message    string // one sentence, in the language that was asked for
	Status     int
	RequestID  string
	RetryAfter time.Duration // 0 where waiting does not help
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("%d: %s", e.Code, e.Message) }

// Is reports whether the target is an *Error of the same code, so that errors.Is(err, &Error{Code: c}) asks for a code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// Options go with any request.
type Options struct {
	// TransactionID is the id of the transaction that the request belongs to; "" begins one.
	TransactionID string `json:"transaction_id,omitempty"`
	// ClientTransactionID comes back unchanged.
	ClientTransactionID *string `json:"client_transaction_id,omitempty"`
	// Evidence asks for what stands behind the answer.
	Evidence bool `json:"evidence,omitempty"`
	// Page is the page of a TIFF or PDF, from 1; 0 is the first. Face checks and the camera take none.
	Page int `json:"page,omitempty"`
}

// document is the body of a request with one picture.
type document struct {
	Options
	Image []byte `json:"image"`
}

// IDFront reads the front of a national ID from the bytes of a picture's file.
func (c *Client) IDFront(ctx context.Context, image []byte, o Options) (*Answer[NationalIDFront, Services], error) {
	return post[NationalIDFront, Services](ctx, c, "ocr/id/front", document{o, image})
}

// IDBack reads the back of a national ID.
func (c *Client) IDBack(ctx context.Context, image []byte, o Options) (*Answer[NationalIDBack, Services], error) {
	return post[NationalIDBack, Services](ctx, c, "ocr/id/back", document{o, image})
}

// CarLicenseFront reads the front of a car licence.
func (c *Client) CarLicenseFront(ctx context.Context, image []byte, o Options) (*Answer[CarLicenseFront, Services], error) {
	return post[CarLicenseFront, Services](ctx, c, "ocr/car/license/front", document{o, image})
}

// CarLicenseBack reads the back of a car licence.
func (c *Client) CarLicenseBack(ctx context.Context, image []byte, o Options) (*Answer[CarLicenseBack, Services], error) {
	return post[CarLicenseBack, Services](ctx, c, "ocr/car/license/back", document{o, image})
}

// Passport reads a passport.
func (c *Client) Passport(ctx context.Context, image []byte, o Options) (*Answer[Passport, Services], error) {
	return post[Passport, Services](ctx, c, "ocr/passport", document{o, image})
}

// DrivingLicense reads a driving licence.
func (c *Client) DrivingLicense(ctx context.Context, image []byte, o Options) (*Answer[DrivingLicense, Services], error) {
	return post[DrivingLicense, Services](ctx, c, "ocr/driving_license", document{o, image})
}

// LicensePlate reads a plate.
func (c *Client) LicensePlate(ctx context.Context, image []byte, o Options) (*Answer[LicensePlate, Services], error) {
	return post[LicensePlate, Services](ctx, c, "ocr/license_plate", document{o, image})
}

// Kind reads a document of a kind that the model pack of the appliance brings, such as student_card.
func (c *Client) Kind(ctx context.Context, kind string, image []byte, o Options) (*Answer[KindDocument, KindServices], error) {
	return post[KindDocument, KindServices](ctx, c, "ocr/kinds/"+url.PathEscape(kind), document{o, image})
}

// Multi reads up to eight documents of one picture.
func (c *Client) Multi(ctx context.Context, image []byte, o Options) (*Answer[Multi, MultiServices], error) {
	return post[Multi, MultiServices](ctx, c, "ocr/multi", document{o, image})
}

// General reads the lines of text of any picture.
func (c *Client) General(ctx context.Context, image []byte, o Options) (*Answer[General, ListServices], error) {
	return post[General, ListServices](ctx, c, "ocr/general", document{o, image})
}

// MatchFace compares a person with the portrait of the transaction.
func (c *Client) MatchFace(ctx context.Context, image []byte, o Options) (*Answer[FaceMatch, FaceMatchServices], error) {
	return post[FaceMatch, FaceMatchServices](ctx, c, "ocr/face/match", document{o, image})
}

// Liveness checks three pictures, at most 500 ms apart, for a living person, the one on the document.
func (c *Client) Liveness(ctx context.Context, faces [3][]byte, o Options) (*Answer[Liveness, LivenessServices], error) {
	return post[Liveness, LivenessServices](ctx, c, "ocr/liveness/multi", struct {
		Options
		Face1 []byte `json:"face_1"`
		Face2 []byte `json:"face_2"`
		Face3 []byte `json:"face_3"`
	}{o, faces[0], faces[1], faces[2]})
}

// CameraLiveness checks the person before the appliance's own camera; frames asks for the pictures too.
func (c *Client) CameraLiveness(ctx context.Context, frames bool, o Options) (*Answer[CameraLiveness, LivenessServices], error) {
	return post[CameraLiveness, LivenessServices](ctx, c, "camera/liveness", struct {
		Options
		Frames bool `json:"frames"`
	}{o, frames})
}

// CameraDocument reads the document before the appliance's own camera. The data is the model of the endpoint, to be decoded by its
// caller.
func (c *Client) CameraDocument(ctx context.Context, e DocumentEndpoint, o Options) (*Answer[json.RawMessage, Services], error) {
	return post[json.RawMessage, Services](ctx, c, "camera/document", struct {
		Options
		Endpoint DocumentEndpoint `json:"endpoint"`
	}{o, e})
}

// post sends a request until it is answered for good. The context ends it at any time.
func post[D, S any](ctx context.Context, c *Client, path string, request any) (*Answer[D, S], error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, fmt.Errorf("write request: %w", err)
	}
	for attempt := 0; ; attempt++ {
		answer, failure, err := once[D, S](ctx, c, path, body)
		if err != nil {
			return nil, err
		}
		if failure == nil {
			return answer, nil
		}
		if failure.RetryAfter <= 0 || failure.RetryAfter > c.LongestWait || attempt >= c.Retries {
			return nil, failure
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("wait after %w: %w", failure, ctx.Err())
		case <-time.After(failure.RetryAfter):
		}
	}
}

// mostAnswer bounds an answer: the largest holds three frames in base64.
const mostAnswer = 64 << 20

func once[D, S any](ctx context.Context, c *Client, path string, body []byte) (*Answer[D, S], *Error, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(c.URL, "/")+"/v1/"+path, bytes.NewReader(body))
	if err != nil {
		return nil, nil, fmt.Errorf("make request: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("ApiKey", c.Key)
	if c.Language != "" {
		request.Header.Set("Accept-Language", c.Language)
	}
	sender := c.HTTP
	if sender == nil {
		sender = http.DefaultClient
	}
	response, err := sender.Do(request)
	if err != nil {
		return nil, nil, fmt.Errorf("send request: %w", err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(response.Body, mostAnswer))
	if err != nil {
		return nil, nil, fmt.Errorf("read answer: %w", err)
	}
	var head struct {
		Code    *ErrorCode `json:"error_code"`
		Message string     `json:"error_message"`
	}
	if err := json.Unmarshal(raw, &head); err != nil || head.Code == nil {
		return nil, nil, fmt.Errorf("HTTP %d is no answer of bawab", response.StatusCode)
	}
	id := response.Header.Get("X-Request-Id")
	if *head.Code != 0 {
		e := &Error{Code: *head.Code, Message: head.Message, Status: response.StatusCode, RequestID: id}
		if s, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && s > 0 {
			e.RetryAfter = time.Duration(s) * time.Second
		}
		return nil, e, nil
	}
	answer := Answer[D, S]{RequestID: id}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, nil, fmt.Errorf("read answer: %w", err)
	}
	return &answer, nil, nil
}
