package browser

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/route"
	"github.com/bawab/bawab/appliance/httpapi/state"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/go-json-experiment/json"
	"github.com/gofiber/fiber/v2"
)

// Rooms are what the rooms of the console show and do beyond transactions, keys and health.
type Rooms struct {
	// Settings lists the configuration with its meaning in a language, Camera what is set of the camera, Models the sets of networks.
	Settings func(appliance.Language) []RoomSetting
	Camera   func() RoomCamera
	Models   func(appliance.Language) (RoomModels, error)
	// CheckModels reads the reference pictures with the networks in use, and says in a language what came of each.
	CheckModels func(ctx context.Context, l appliance.Language) ([]RoomReading, error)
	// RollBackModels goes back to the networks before, for an API key.
	RollBackModels func(ctx context.Context, key string) (state.ModelsInUse, error)
	// VerifyJournal goes through the journal, tells how many entries it has seen now and then, and names problems in a language.
	VerifyJournal func(ctx context.Context, l appliance.Language, seen func(entries int)) (RoomJournal, error)
	// ExportJournal writes one JSON object a line for each entry.
	ExportJournal func(ctx context.Context, w io.Writer) error
	// Authority is the certificate of the appliance's own authority in PEM; nil where it has none.
	Authority func() []byte
}

// RoomSetting is one key of the configuration.
type RoomSetting struct {
	Path     string `json:"path"`
	Value    string `json:"value"`
	Fallback string `json:"fallback"`
	Allowed  string `json:"allowed"`
	Meaning  string `json:"meaning"`
	// Origin is file, environment, flag or default.
	Origin string `json:"origin"`
	// Restart tells that a change waits for the next start.
	Restart bool `json:"restart"`
}

// RoomCamera is what is set of the appliance's own camera.
type RoomCamera struct {
	Configured bool   `json:"configured"`
	Recording  bool   `json:"recording"`
	Device     string `json:"device"`
	Rotate     int    `json:"rotate"`
	Width      int    `json:"width"`
	Height     int    `json:"height"`
	FPS        int    `json:"fps"`
	GapMinMS   int64  `json:"gap_min_ms"`
	GapMaxMS   int64  `json:"gap_max_ms"`
}

// RoomModels are the sets of networks that there are, and the networks in use.
type RoomModels struct {
	Version  string   `json:"version"`
	Program  string   `json:"program"`
	Previous string   `json:"previous"`
	Trial    bool     `json:"trial"`
	Failed   string   `json:"failed"`
	Why      string   `json:"why"`
	Kinds    []string `json:"kinds"` // of documents that the set brings
	// Calibration is the date and the SHA-256 of the calibration that the set brings, "" where that of the program holds.
	Calibration string      `json:"calibration"`
	Networks    []RoomModel `json:"networks"`
}

// RoomModel is the card of one network.
type RoomModel struct {
	Name       string          `json:"name"`
	SHA256     string          `json:"sha256"`
	Input      string          `json:"input"`
	Bytes      int             `json:"bytes"`
	MACs       int64           `json:"macs"`
	Provenance string          `json:"provenance"`
	Thresholds []RoomThreshold `json:"thresholds"`
}

// RoomReading is what came of one reference picture; Detail says what was wrong.
type RoomReading struct {
	Picture string `json:"picture"`
	OK      bool   `json:"ok"`
	Detail  string `json:"detail"`
}

// RoomThreshold is a threshold with its origin.
type RoomThreshold struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Origin string  `json:"origin"`
}

// RoomJournal is what a verification found.
type RoomJournal struct {
	Entries  uint64    `json:"entries"`
	Segments int       `json:"segments"`
	Pruned   uint64    `json:"pruned"`
	Since    time.Time `json:"since"`
	Until    time.Time `json:"until"`
	Last     string    `json:"last"`
	Problems []string  `json:"problems"`
}

// roomRoutes names the paths of the rooms; none where the daemon gave none.
func (p *Routes) roomRoutes(app *fiber.App) {
	r := p.deps.Console.Rooms
	if r == nil {
		return
	}
	app.Get("/console/settings", p.room(func(_ context.Context, x *route.Exchange) (any, error) { return r.Settings(x.Language), nil }))
	app.Get("/console/camera", p.room(func(context.Context, *route.Exchange) (any, error) { return r.Camera(), nil }))
	app.Post("/console/camera/burst", p.room(p.consoleBurst))
	app.Get("/console/models", p.room(func(_ context.Context, x *route.Exchange) (any, error) { return r.Models(x.Language) }))
	app.Post("/console/models/check", p.room(func(ctx context.Context, x *route.Exchange) (any, error) {
		return r.CheckModels(ctx, x.Language)
	}))
	app.Post("/console/models/rollback", p.room(func(ctx context.Context, x *route.Exchange) (any, error) {
		return r.RollBackModels(ctx, x.Key)
	}))
	app.Get("/console/journal/verify", p.frame.Handle(p.consoleVerify))
	app.Get("/console/journal/export", p.frame.Handle(p.consoleExport))
	app.Get("/console/authority.pem", p.frame.Handle(p.authority))
}

// room answers what a function finds to whoever is signed in.
func (p *Routes) room(find func(context.Context, *route.Exchange) (any, error)) fiber.Handler {
	return p.frame.Handle(func(c *fiber.Ctx, x *route.Exchange) error {
		if err := p.admin(c, x); err != nil {
			return err
		}
		ctx, stop := p.frame.Watch(c, x)
		defer stop()
		found, err := find(ctx, x)
		if err != nil {
			return err
		}
		body, err := wire.DataEnvelope(found)
		if err != nil {
			return err
		}
		return route.Succeed(c, body)
	})
}

// consoleBurst takes three frames as a liveness check does, and answers how far apart they were. Nobody's face is looked at.
func (p *Routes) consoleBurst(ctx context.Context, x *route.Exchange) (any, error) {
	gaps, err := p.deps.Burst(ctx, x)
	return map[string]any{"gaps_ms": appliance.Milliseconds(gaps)}, err
}

// consoleVerify goes through the journal and tells how far it is, as server-sent events: `seen` with a count, then `done` with the
// report or `failed`.
func (p *Routes) consoleVerify(c *fiber.Ctx, x *route.Exchange) error {
	if err := p.admin(c, x); err != nil {
		return err
	}
	conn, spoken := c.Context().Conn(), x.Language // the exchange ends before the stream
	c.Set(fiber.HeaderContentType, "text/event-stream")
	c.Context().SetBodyStreamWriter(func(w *bufio.Writer) {
		ctx, cancel := context.WithCancel(p.frame.Streams)
		defer cancel()
		tell := func(event string, data any) {
			text, err := json.Marshal(data)
			if err == nil {
				err = conn.SetWriteDeadline(time.Now().Add(p.deps.WriteTimeout))
			}
			if err == nil {
				fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, text)
				err = w.Flush()
			}
			if err != nil {
				cancel() // the reader has gone
			}
		}
		report, err := p.deps.Console.Rooms.VerifyJournal(ctx, spoken, func(entries int) { tell("seen", entries) })
		if err != nil {
			p.frame.Log.Error("the journal was not verified", "error", err)
			tell("failed", "the journal cannot be read")
			return
		}
		tell("done", report)
	})
	return nil
}

// consoleExport sends the journal as a file.
func (p *Routes) consoleExport(c *fiber.Ctx, x *route.Exchange) error {
	if err := p.admin(c, x); err != nil {
		return err
	}
	conn := c.Context().Conn()
	c.Set(fiber.HeaderContentType, "application/x-ndjson")
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="bawab-journal.jsonl"`)
	c.Context().SetBodyStreamWriter(func(w *bufio.Writer) {
		paced := pacedWriter{w, func() error { return conn.SetWriteDeadline(time.Now().Add(p.deps.WriteTimeout)) }}
		if err := p.deps.Console.Rooms.ExportJournal(p.frame.Streams, paced); err != nil {
			p.frame.Log.Error("the journal was not exported whole", "error", err)
		}
		_ = w.Flush() // a reader that went away is told nothing
	})
	return nil
}

// pacedWriter gives each write its time.
type pacedWriter struct {
	w     io.Writer
	begin func() error
}

func (p pacedWriter) Write(b []byte) (int, error) {
	if err := p.begin(); err != nil {
		return 0, err
	}
	return p.w.Write(b)
}

// authority sends the certificate of the appliance's own authority, for clients that are to trust it. It is no secret.
func (p *Routes) authority(c *fiber.Ctx, _ *route.Exchange) error {
	text := p.deps.Console.Rooms.Authority()
	if text == nil {
		return fiber.ErrNotFound
	}
	c.Set(fiber.HeaderContentType, "application/x-pem-file")
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="bawab-authority.pem"`)
	c.Context().Response.SetBodyRaw(text)
	return nil
}
