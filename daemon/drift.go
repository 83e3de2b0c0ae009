package daemon

import (
	"context"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance/drift"
	"github.com/bawab/bawab/appliance/egypt"
)

// openDrift begins to count what is answered. Counts that cannot be read are no reason not to start: they begin anew.
func (d *daemon) openDrift(ctx context.Context) error {
	zone, err := egypt.Cairo()
	if err != nil {
		return err
	}
	d.drift = drift.New(d.store, time.Now, zone)
	if err := d.drift.Open(ctx); err != nil {
		d.log.Warn("the counts of earlier readings are not whole", "error", err)
	}
	run, stop := context.WithCancel(context.Background())
	var upkeep sync.WaitGroup
	upkeep.Go(func() { d.eachInterval(run, "the counts of readings were not kept", d.drift.Flush) })
	d.push("drift", func() error {
		stop()
		upkeep.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		return d.drift.Flush(ctx)
	})
	return nil
}
