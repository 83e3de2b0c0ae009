package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/doctor"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/configs"
)

// mostNamed is how many folders of other daemons are named.
const mostNamed = 2

// elsewhere looks for daemons on other data folders than the configured one. With one of them, and no --data, the doctor goes
// on with its folder; otherwise they are named.
func elsewhere(ctx context.Context, p *place, cfg *configs.Config) (*httpapi.Status, []appliance.Check) {
	folders := slices.DeleteFunc(doctor.DaemonFolders("/proc"), func(dir string) bool {
		at := *cfg
		at.Data = dir
		status, err := daemonStatus(ctx, &at)
		return dir == cfg.Data || status == nil || err != nil
	})
	c := appliance.Check{Name: "running daemon", Minor: true, Hint: "name its folder with --data to examine it"}
	switch {
	case len(folders) == 0:
		return nil, nil
	case len(folders) > 1 || p.data != "":
		named := strings.Join(folders[:min(len(folders), mostNamed)], ", ")
		c.Detail = fmt.Sprintf("not on %s, but on %s (%s)", cfg.Data, named, words.Count(len(folders), "daemon", "daemons"))
		return nil, []appliance.Check{c}
	}
	c.OK, c.Detail = true, "on "+folders[0]+", which is examined here; nothing runs on "+cfg.Data
	p.data, cfg.Data = folders[0], folders[0]
	status, err := daemonStatus(ctx, cfg)
	if err != nil {
		return nil, []appliance.Check{doctor.Failed(c.Name, err)}
	}
	return status, []appliance.Check{c}
}
