package control

import (
	"errors"
	"log/slog"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/state"
)

// A switch of models goes through the socket with the version that is used afterwards, or with the reason, code and hint of its
// refusal.
func TestSwitchModels(t *testing.T) {
	refusal := &appliance.Error{Code: appliance.CodeBadRequest, Op: "switch models", Msg: "version 8 was given up: no memory", Hint: "tell the vendor"}
	for name, tt := range map[string]struct {
		do   func() (state.ModelsInUse, error)
		want uint64
		code appliance.Code
		hint string
	}{
		"switched": {func() (state.ModelsInUse, error) { return state.ModelsInUse{Version: 7}, nil }, 7, 0, ""},
		"refused": {
			func() (state.ModelsInUse, error) { return state.ModelsInUse{Version: 7}, refusal }, 0, appliance.CodeBadRequest,
			"tell the vendor",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f, dir := begin(t), t.TempDir()
			c := New(dir, Deps{Keys: f.keys, Log: slog.New(slog.DiscardHandler), SwitchModels: tt.do})
			if err := c.Open(t.Context()); err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			got, err := f.dial(dir).SwitchModels(t.Context())
			var e *appliance.Error
			if errors.As(err, &e) != (tt.code != 0) || got.Version != tt.want {
				t.Fatalf("got %+v, %v", got, err)
			}
			if e != nil && (e.Code != tt.code || e.Hint != tt.hint) {
				t.Errorf("got %d %q, %q", e.Code, e.Msg, e.Hint)
			}
		})
	}
}
