package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
	folders := slices.DeleteFunc(daemonFolders("/proc"), func(dir string) bool {
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
		return nil, []appliance.Check{failedCheck(c.Name, err)}
	}
	return status, []appliance.Check{c}
}

// daemonFolders are the data folders of the daemons among the processes, as far as this user may see them. A folder that only
// a configuration file names is not known from outside.
func daemonFolders(proc string) []string {
	lines, err := filepath.Glob(filepath.Join(proc, "[0-9]*", "cmdline"))
	if err != nil {
		return nil
	}
	var folders []string
	for _, file := range lines {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it ended meanwhile
		}
		var args []string
		for arg := range bytes.SplitSeq(bytes.TrimSuffix(text, []byte{0}), []byte{0}) {
			args = append(args, string(arg))
		}
		dir := servedFolder(args)
		if dir == "" {
			continue
		}
		if !filepath.IsAbs(dir) {
			cwd, err := os.Readlink(filepath.Join(filepath.Dir(file), "cwd"))
			if err != nil {
				continue // a process of another user
			}
			dir = filepath.Join(cwd, dir)
		}
		if !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
	}
	return folders
}

// servedFolder is the data folder that a command line of `bawab serve` names; "" is that of the configuration, or no daemon.
func servedFolder(args []string) string {
	if len(args) < 2 || filepath.Base(args[0]) != "bawab" || args[1] != "serve" {
		return ""
	}
	for i, arg := range args[2:] {
		if dir, ok := strings.CutPrefix(arg, "--data="); ok {
			return dir
		}
		if arg == "--data" && i+3 < len(args) {
			return args[i+3]
		}
	}
	return ""
}
