package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/store/faultdisk"
)

// diskFault is a way in which a disk fails.
type diskFault struct {
	name      string
	operation faultdisk.Operation
	errno     syscall.Errno
}

func diskFaults() []diskFault {
	return []diskFault{
		{"full", faultdisk.Write, syscall.ENOSPC},
		{"EIO on write", faultdisk.Write, syscall.EIO},
		{"EIO on sync", faultdisk.Sync, syscall.EIO},
		{"read-only", faultdisk.Write, syscall.EROFS},
		{"EIO on read", faultdisk.Read, syscall.EIO},
	}
}

// badDisk lets the disk fail under the daemon for a while: it answers 503, and 200 when the disk works again.
func badDisk(c *tortureCase) {
	disk := c.faultDisk()
	v := c.victim(disk.Dir)
	v.start()
	stop := v.load(2)
	appliancetest.Until(c.T, patience, "it works", func() bool { return len(v.acked.all()) > 20 })
	stop()
	before := v.warm()
	for c.more(len(diskFaults())) {
		f := diskFaults()[c.row.runs%len(diskFaults())]
		disk.Fail(f.operation, f.errno)
		if f.operation == faultdisk.Read { // what is read lies in memory mostly: no answer but 200 or 503 may come
			v.load(2)()
		} else {
			appliancetest.Until(c.T, patience, f.name+": a request is refused", func() bool { return v.status() == http.StatusServiceUnavailable })
		}
		disk.Fail(f.operation, 0)
		began := time.Now()
		appliancetest.Until(c.T, patience, f.name+": it works again", func() bool { return v.status() == http.StatusOK })
		c.recovered(time.Since(began))
		c.row.runs++
	}
	v.check(v.acked.all())
	v.leaks(before)
	v.stop()
	c.recovered(v.start())
	v.check(v.acked.all())
	v.stop()
}

// eraseOnFullDisk fills the disk to its last byte: new transactions are refused, those that are there can be erased, and with room
// again the daemon goes on.
func eraseOnFullDisk(c *tortureCase) {
	disk, err := appliancetest.SmallDisk(c.T, "4m")
	if err != nil {
		c.skip("%v", err)
	}
	v := c.victim(filepath.Join(disk, "data"))
	v.start()
	for c.more(1) {
		v.acked = new(ledger)
		for range 3 {
			v.status()
		}
		gone, kept := v.acked.all()[0], v.acked.all()[1:]
		filler := filepath.Join(disk, "filler")
		appliancetest.Fill(c.T, filler)
		appliancetest.Until(c.T, patience, "a request is refused", func() bool { return v.status() == http.StatusServiceUnavailable })
		appliancetest.Fill(c.T, filepath.Join(disk, "rest"))
		if out := v.tool("store", "erase", gone, "--data", v.dir); !strings.HasPrefix(out, "erased: ") {
			c.Errorf("erasing with no byte free says %q", out)
		}
		if err := errors.Join(os.Remove(filler), os.Remove(filepath.Join(disk, "rest"))); err != nil {
			c.Fatal(err)
		}
		began := time.Now()
		appliancetest.Until(c.T, patience, "it works again", func() bool { return v.status() == http.StatusOK })
		c.recovered(time.Since(began))
		if code := v.known(gone); code != int(appliance.CodeTransactionExpired) {
			c.Errorf("an erased transaction is answered with %d", code)
		}
		v.check(kept)
		c.row.runs++
	}
	v.stop()
}

// status records once and returns the HTTP status.
func (v *victim) status() int {
	r, err := v.record()
	if err != nil {
		v.c.Fatalf("no answer: %v\n%s", err, v.log)
	}
	return r.Status
}

// badDiskAtStart starts the daemon on a disk that fails: it says so and ends, or serves 503, and starts when the disk works.
func badDiskAtStart(c *tortureCase) {
	disk := c.faultDisk()
	v := c.victim(disk.Dir)
	v.start()
	v.status()
	v.stop()
	least := 2
	if c.long {
		least = len(diskFaults())
	}
	for c.more(least) {
		f := diskFaults()[c.row.runs%len(diskFaults())]
		disk.Fail(f.operation, f.errno)
		v.execute("serve", "--listen", v.listen, "--data", v.dir)
		ended, served := false, false
		appliancetest.Until(c.T, patience, f.name+": it ends or answers", func() bool {
			_, err := v.record()
			ended, served = v.died(), err == nil
			return ended || served
		})
		if code := v.cmd.ProcessState.ExitCode(); ended && (code != command.ExitFailed || !strings.Contains(v.log.String(), "bawab: error: ")) {
			c.Errorf("%s: it ended with %d: %s", f.name, code, v.log)
		}
		disk.Fail(f.operation, 0)
		v.kill()
		c.recovered(v.start())
		v.check(v.acked.all())
		v.stop()
		c.row.runs++
	}
}

// clockJumps moves the store's clock. A transaction outlives a jump that leaves its time; one that has ended is said to have.
func clockJumps(c *tortureCase) {
	file := filepath.Join(c.TempDir(), "offset")
	put := func(by time.Duration) {
		if err := os.WriteFile(file+".new", []byte(strconv.Itoa(int(by/time.Second))), 0o600); err != nil {
			c.Fatal(err)
		}
		if err := os.Rename(file+".new", file); err != nil {
			c.Fatal(err)
		}
	}
	put(0)
	v := c.victim(c.TempDir(), clockOffset+"="+file, "BAWAB_STORE_SWEEP=1s")
	v.program = []string{"bawab-tormented"}
	v.start()
	before := v.warm()
	for c.more(1) {
		v.acked = new(ledger)
		for _, by := range []time.Duration{0, 10 * time.Minute, -10 * time.Minute, 0, -24 * time.Hour} { // from the last one nothing comes back in time
			put(by)
			if status := v.status(); status != http.StatusOK {
				c.Errorf("got %d with a clock that is wrong by %v", status, by)
			}
			v.check(v.acked.all())
		}
		put(25 * time.Hour)
		old := v.acked.all()[0]
		if code := v.known(old); code != int(appliance.CodeTransactionExpired) && code != int(appliance.CodeTransactionUnknown) {
			c.Errorf("a day later a transaction is answered with %d", code)
		}
		if status := v.status(); status != http.StatusOK {
			c.Errorf("got %d a day later", status)
		}
		put(0)
		if status := v.status(); status != http.StatusOK {
			c.Errorf("got %d after the clock was put back", status)
		}
		c.row.runs++
	}
	v.leaks(before)
	v.stop()
	c.row.note = fmt.Sprintf("%d jumps", 6*c.row.runs)
}
