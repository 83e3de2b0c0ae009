package doctor

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance"
)

// mostNamed is how many folders of other daemons are named.
const mostNamed = 2

// Elsewhere looks for daemons on other data folders than dir, on which none runs, and says what it found. The folder is where the
// doctor goes on: that of the one daemon which answers, unless somebody has named dir.
func Elsewhere(dir string, named bool, answers func(dir string) bool) (folder string, checks []appliance.Check) {
	return elsewhere(DaemonFolders("/proc"), dir, named, answers)
}

func elsewhere(folders []string, dir string, named bool, answers func(dir string) bool) (folder string, checks []appliance.Check) {
	folders = slices.DeleteFunc(folders, func(other string) bool { return other == dir || !answers(other) })
	c := appliance.Check{Name: "running daemon", Minor: true, Hint: "name its folder with --data to examine it"}
	switch {
	case len(folders) == 0:
		return "", nil
	case len(folders) > 1 || named:
		some := strings.Join(folders[:min(len(folders), mostNamed)], ", ")
		return "", []appliance.Check{c.Detailed(appliance.Phrasef("not on %s, but on %s, %d in all", dir, some, len(folders)))}
	}
	c.OK = true
	return folders[0], []appliance.Check{
		c.Detailed(appliance.Phrasef("on %s, which is examined here; nothing runs on %s", folders[0], dir)),
	}
}

// DaemonFolders are the data folders of the daemons among the processes, as far as this user may see them. A folder that only
// a configuration file names is not known from outside.
func DaemonFolders(proc string) []string {
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
