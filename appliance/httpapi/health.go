package httpapi

import (
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/route"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/gofiber/fiber/v2"
)

// Health tells the server how the appliance is. Every function may be called at any time from any goroutine; a nil
// one counts as "fine" or 0.
type Health struct {
	// Ready returns nil once requests can be answered; the error is logged and not sent.
	Ready func() error
	// Warnings lists the lasting conditions that hold now.
	Warnings func() []appliance.Warning
	// QueueDepth is how many tasks run or wait.
	QueueDepth func() int
	// StoreBytes is the size of the store on disk.
	StoreBytes func() int64
	// DiskFree is how many bytes the store may still use on its disk; known is false where that cannot be told.
	DiskFree func() (bytes int64, known bool)
	// CertificateEnd is when the certificate of the API ends; zero without one.
	CertificateEnd func() time.Time
}

func (h Health) ready() error {
	if h.Ready == nil {
		return nil
	}
	return h.Ready()
}

func (h Health) warnings() []appliance.Warning {
	if h.Warnings == nil {
		return nil
	}
	return h.Warnings()
}

func (h Health) queueDepth() int {
	if h.QueueDepth == nil {
		return 0
	}
	return h.QueueDepth()
}

func (h Health) storeBytes() int64 {
	if h.StoreBytes == nil {
		return 0
	}
	return h.StoreBytes()
}

// diskFree is a sample of the figure, or none.
func (h Health) diskFree() map[string]float64 {
	if h.DiskFree != nil {
		if free, known := h.DiskFree(); known {
			return map[string]float64{"store": float64(free)}
		}
	}
	return nil
}

// certificateEnd is a sample of the figure, or none.
func (h Health) certificateEnd() map[string]float64 {
	if h.CertificateEnd != nil {
		if end := h.CertificateEnd(); !end.IsZero() {
			return map[string]float64{"api": float64(end.Unix())}
		}
	}
	return nil
}

// healthz says that the process answers.
func (s *Server) healthz(c *fiber.Ctx, _ *route.Exchange) error {
	return route.Succeed(c, []byte(`{"status":"ok"}`))
}

// readyz says whether requests can be answered, and what an operator should mend.
func (s *Server) readyz(c *fiber.Ctx, x *route.Exchange) error {
	err := s.deps.Health.ready()
	w := wire.NewWriter()
	w.Begin()
	w.Name("ready").Truth(err == nil)
	w.Name("warnings").Open()
	for _, warning := range s.deps.Health.warnings() {
		msg, hint := warning.In(x.Language)
		w.Begin()
		w.Name("code").Text(string(warning.Code))
		w.Name("message").Text(msg)
		w.Name("hint").Text(hint)
		w.Close()
	}
	w.Shut()
	w.Close()
	if err != nil {
		x.Code, x.Err = appliance.CodeUnavailable, err
		c.Status(fiber.StatusServiceUnavailable).Set(fiber.HeaderRetryAfter, "1")
	}
	return route.Succeed(c, w.Bytes())
}
