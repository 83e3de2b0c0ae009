package report

import (
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// thisMachine describes the machine that the program runs on; what cannot be told is left out.
func thisMachine() Machine {
	m := Machine{System: runtime.GOOS + "/" + runtime.GOARCH, Processor: "processor", Cores: runtime.NumCPU()}
	m.Name, _ = os.Hostname()
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if key, value, ok := strings.Cut(line, ":"); ok && (strings.TrimSpace(key) == "model name" || strings.TrimSpace(key) == "Model") {
				m.Processor = strings.TrimSpace(value)
				break
			}
		}
	}
	var name unix.Utsname
	if unix.Uname(&name) == nil {
		m.System += ", Linux " + unix.ByteSliceToString(name.Release[:])
	}
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) == nil {
		m.Memory = int64(info.Totalram) * int64(info.Unit) //nolint:unconvert // a uint32 on some machines
	}
	return m
}
