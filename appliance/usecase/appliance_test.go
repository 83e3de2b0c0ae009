package usecase_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/appliance/usecase"
)

// Property: a picture that is not decoded and read in time is given up and answered 3011, and its worker is free for the next one; a caller
// who goes away before that gets his own error, and a failure beside it stays what it is.
func TestReadingsEndInTime(t *testing.T) {
	wait := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	slowReader := appliancetest.Reader{ReadFunc: func(ctx context.Context, _ *appliance.Picture, _ []appliance.Document) (appliance.Reading, error) {
		return appliance.Reading{}, wait(ctx)
	}}
	slowDecoder := appliancetest.PictureDecoder{DecodeFunc: func(ctx context.Context, _ []byte) (*appliance.Picture, error) { return nil, wait(ctx) }}
	failed := &appliance.Error{Code: appliance.CodeUnavailable, Err: context.DeadlineExceeded}
	impatient := appliancetest.Reader{ReadFunc: func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
		return appliance.Reading{}, failed
	}}
	failing := appliancetest.Reader{ReadFunc: func(ctx context.Context, _ *appliance.Picture, _ []appliance.Document) (appliance.Reading, error) {
		_ = wait(ctx)
		return appliance.Reading{}, appliance.Errorf(appliance.CodeInternal, "network")
	}}
	for name, test := range map[string]struct {
		decoder appliancetest.PictureDecoder
		reader  appliancetest.Reader
		patient time.Duration // of the caller
		code    appliance.Code
		took    time.Duration
		is      error
	}{
		"slow to read":       {reader: slowReader, patient: time.Hour, code: appliance.CodeNoDocument, took: usecase.ReadingTime},
		"slow to decode":     {decoder: slowDecoder, patient: time.Hour, code: appliance.CodeNoDocument, took: usecase.ReadingTime},
		"caller goes away":   {reader: slowReader, patient: time.Second, code: appliance.CodeInternal, took: time.Second, is: context.DeadlineExceeded},
		"a failure":          {reader: failing, patient: time.Hour, code: appliance.CodeInternal, took: usecase.ReadingTime},
		"a part that waited": {reader: impatient, patient: time.Hour, code: appliance.CodeUnavailable, is: failed},
		"in time":            {patient: time.Hour, code: appliance.CodeNoDocument},
	} {
		synctest.Test(t, func(t *testing.T) {
			a := usecase.New(usecase.Deps{
				Decoder: test.decoder, Queue: queue.New(1, 0), Now: time.Now,
				Networks: usecase.Networks{Readers: map[appliance.Endpoint]appliance.Reader{appliance.EndpointIDFront: test.reader}},
			})
			for range 2 { // the second one finds the worker free
				ctx, cancel := context.WithTimeout(t.Context(), test.patient)
				began := time.Now()
				_, err := a.Read(ctx, usecase.ReadRequest{Endpoint: appliance.EndpointIDFront, Image: []byte{1}})
				cancel()
				if took := time.Since(began); appliance.CodeOf(err) != test.code || took != test.took || test.is != nil && !errors.Is(err, test.is) {
					t.Errorf("%s: %v after %v, want code %d after %v", name, err, took, test.code, test.took)
				}
			}
		})
	}
}

// Property: the pictures of general text and of plates are decoded by a decoder of their own where there is one, all others by the first.
func TestPrintHasItsOwnDecoder(t *testing.T) {
	decoder := func(width int) appliancetest.PictureDecoder {
		return appliancetest.PictureDecoder{DecodeFunc: func(context.Context, []byte) (*appliance.Picture, error) {
			return &appliance.Picture{Width: width, Height: 1, Y: make([]byte, width)}, nil
		}}
	}
	for endpoint, want := range map[appliance.Endpoint]int{
		appliance.EndpointGeneral: 16, appliance.EndpointLicensePlate: 16, appliance.EndpointPassport: 64, appliance.EndpointMulti: 64,
	} {
		got := 0
		reader := appliancetest.Reader{ReadFunc: func(_ context.Context, p *appliance.Picture, _ []appliance.Document) (appliance.Reading, error) {
			got = p.Width
			return appliance.Reading{}, nil
		}}
		deps := usecase.Deps{
			Decoder: decoder(64), PrintDecoder: decoder(16), Queue: queue.New(1, 0), Now: time.Now,
			Networks: usecase.Networks{Readers: map[appliance.Endpoint]appliance.Reader{endpoint: reader}},
		}
		_, _ = usecase.New(deps).Read(t.Context(), usecase.ReadRequest{Endpoint: endpoint, Image: []byte{1}})
		if got != want {
			t.Errorf("%s: the decoder of %d, want that of %d", endpoint, got, want)
		}
		deps.PrintDecoder = nil
		_, _ = usecase.New(deps).Read(t.Context(), usecase.ReadRequest{Endpoint: endpoint, Image: []byte{1}})
		if got != 64 {
			t.Errorf("%s without one: the decoder of %d", endpoint, got)
		}
	}
}
