package httpapi

import (
	"github.com/gofiber/fiber/v2"

	"github.com/bawab/bawab/appliance/httpapi/route"
	"github.com/bawab/bawab/appliance/metrics"
)

// gauges adds the figures of the appliance to a set: those that are looked up when somebody asks.
func gauges(set *metrics.Set, d Deps) {
	set.Flags("bawab_build_info", "Always 1; the label is the version.", "version", func() []string { return []string{d.Version} })
	set.Gauge("bawab_queue_depth", "Tasks that run or wait.", func() float64 { return float64(d.Health.queueDepth()) })
	set.Gauge("bawab_store_bytes", "Size of the store on disk.", func() float64 { return float64(d.Health.storeBytes()) })
	set.Gauge("bawab_keys", "API keys that exist.", func() float64 { return float64(len(d.Keys.List())) })
	set.Gauges("bawab_disk_free_bytes", "Bytes that may still be used on the disk of the data folder.", "disk", d.Health.diskFree)
	set.Gauges("bawab_certificate_end_timestamp_seconds",
		"When the certificate of the API ends, in seconds since 1970.", "of", d.Health.certificateEnd)
	set.Gauges("bawab_drift_ratio", "How many times as often as before, for every share that has risen to stay.", "series", d.rises)
	set.Flags("bawab_warning", "1 for every lasting condition that holds.", "code", func() (codes []string) {
		for _, w := range d.Health.warnings() {
			codes = append(codes, string(w.Code))
		}
		return codes
	})
}

// rises are the series with an alarm, each with its ratio.
func (d Deps) rises() map[string]float64 {
	out := map[string]float64{}
	if d.Drift != nil {
		for _, s := range d.Drift.Alarms() {
			out[string(s.ID)] = s.Alarm.Ratio
		}
	}
	return out
}

// metrics answers /metrics in the Prometheus text format, to those who may read it.
func (s *Server) metrics(c *fiber.Ctx, _ *route.Exchange) error {
	if err := s.gate.Figures(c); err != nil {
		return err
	}
	text, err := s.figures.Text()
	if text == nil {
		return err
	}
	c.Set(fiber.HeaderContentType, metrics.ContentType)
	c.Context().Response.SetBodyRaw(text)
	return nil
}
