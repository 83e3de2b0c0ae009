package watch

import (
	"context"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
)

// hanging is a reader that returns when it is let go.
type hanging chan struct{}

func (h hanging) Read(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
	h <- struct{}{} // says that it runs
	<-h
	return appliance.Reading{}, nil
}

// The vigil knows how long the oldest reading has been under way, and forgets it when it returns.
func TestVigil(t *testing.T) {
	v, h := NewVigil(), make(hanging)
	if got := v.Oldest(time.Now()); got != 0 {
		t.Errorf("%v before any reading", got)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if _, err := v.Over(h).Read(t.Context(), nil, nil); err != nil {
			t.Error(err)
		}
	}()
	<-h
	if got := v.Oldest(time.Now().Add(time.Hour)); got < time.Hour || got > time.Hour+longest {
		t.Errorf("%v after an hour", got)
	}
	h <- struct{}{}
	<-done
	if got := v.Oldest(time.Now().Add(time.Hour)); got != 0 {
		t.Errorf("%v after the reading", got)
	}
}
