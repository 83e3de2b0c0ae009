package browser

import (
	"context"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/access"
	"github.com/bawab/bawab/appliance/httpapi/route"
	"github.com/bawab/bawab/appliance/kiosk"
	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/adaptor"
)

// Deps are the parts that the routes of the pages work with.
type Deps struct {
	Frame *route.Frame
	Keys  *appliance.Keyring
	// Console serves the pages; nil: there are none.
	Console *Console
	// Kiosk serves the page for customers; nil: it is off.
	Kiosk   *Kiosk
	Version string
	// BodyBytes bounds a request with one picture, LivenessBytes one with three, PictureBytes one picture after base64.
	BodyBytes, LivenessBytes, PictureBytes int
	// WriteTimeout ends a stream whose reader takes nothing.
	WriteTimeout time.Duration
	// Machine tells what the console shows of the machine beside the daemon's status.
	Machine func() Machine
	// Burst takes three frames with the appliance's own camera and tells the times between them.
	Burst func(context.Context, *route.Exchange) ([]time.Duration, error)
	// Preview streams what that camera sees to a screen that was let in.
	Preview route.Handler
	// Ended is told how each check at a screen ended.
	Ended func(kiosk.End)
}

// Machine is what the console shows of the machine beside the daemon's status.
type Machine struct {
	Ready      bool
	Queue      int   // how many tasks run or wait
	StoreBytes int64 // size of the store on disk
}

// Routes are the routes of the pages.
type Routes struct {
	deps     Deps
	frame    *route.Frame
	pairings access.Pairings
}

// New makes the routes; it does no I/O.
func New(d Deps) *Routes { return &Routes{deps: d, frame: d.Frame} }

// Add names the paths to a server. Where there are no pages there are none.
func (p *Routes) Add(app *fiber.App) {
	if p.deps.Console == nil {
		return
	}
	p.consoleRoutes(app)
	if p.deps.Kiosk != nil {
		p.kioskRoutes(app)
	}
}

// page serves a page or one of its files.
func (p *Routes) page(c *fiber.Ctx, _ *route.Exchange) error {
	return adaptor.HTTPHandler(p.deps.Console.Pages)(c)
}
