package metrics

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// clockTicks is how many ticks of /proc are a second: what Linux has told programs on every machine for long.
const clockTicks = 100

// processFamilies shows the process as Linux sees it. What it does not tell is left out.
func processFamilies() []family {
	var out families
	one := func(kind, name, help string, value float64, known bool) {
		if known {
			out.one(kind, name, help, value)
		}
	}
	stat := statOf("/proc/self/stat")
	user, known := stat.number(14)
	system, _ := stat.number(15)
	one("counter", "process_cpu_seconds_total", "Time on all cores, in the program and in the system for it.", (user+system)/clockTicks, known)
	size, known := stat.number(23)
	one("gauge", "process_virtual_memory_bytes", "Virtual memory.", size, known)
	pages, known := stat.number(24)
	one("gauge", "process_resident_memory_bytes", "Resident memory.", pages*float64(os.Getpagesize()), known)
	started, _ := stat.number(22)
	boot, known := bootTime("/proc/stat")
	one("gauge", "process_start_time_seconds", "When the process began, in seconds since 1970.", boot+started/clockTicks, known)
	files, err := os.ReadDir("/proc/self/fd")
	one("gauge", "process_open_fds", "Open files.", float64(len(files)), err == nil)
	var limit syscall.Rlimit
	err = syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit)
	one("gauge", "process_max_fds", "Files that may be open.", float64(limit.Cur), err == nil)
	err = syscall.Getrlimit(syscall.RLIMIT_AS, &limit)
	one("gauge", "process_virtual_memory_max_bytes", "Virtual memory that the process may have.", float64(limit.Cur), err == nil)
	const netstat = "/proc/self/net/netstat"
	came, known := octets(netstat, "InOctets")
	one("counter", "process_network_receive_bytes_total", "Bytes that came over the networks that the process sees.", came, known)
	sent, known := octets(netstat, "OutOctets")
	one("counter", "process_network_transmit_bytes_total", "Bytes that went over the networks that the process sees.", sent, known)
	return out
}

// stat is the fields of /proc/PID/stat from the third on: the second, a name, may hold anything.
type stat []string

func statOf(file string) stat {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	line := string(content)
	return strings.Fields(line[strings.LastIndexByte(line, ')')+1:])
}

// number is a field, counted as proc(5) does, and whether it is there.
func (s stat) number(field int) (float64, bool) { return numberIn(s, field-3) }

func numberIn(fields []string, i int) (float64, bool) {
	if i < 0 || i >= len(fields) {
		return 0, false
	}
	v, err := strconv.ParseFloat(fields[i], 64)
	return v, err == nil
}

// lines returns the fields of the lines of a file that begin with a word.
func lines(file, word string) (out [][]string) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(content)) {
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] == word {
			out = append(out, fields)
		}
	}
	return out
}

// bootTime is when the machine started, in seconds since 1970.
func bootTime(file string) (float64, bool) {
	found := lines(file, "btime")
	if len(found) != 1 {
		return 0, false
	}
	return numberIn(found[0], 1)
}

// octets is a counter of the Internet protocol: the first line of its kind has the names, the second the values.
func octets(file, name string) (float64, bool) {
	found := lines(file, "IpExt:")
	if len(found) != 2 {
		return 0, false
	}
	return numberIn(found[1], slices.Index(found[0], name))
}
