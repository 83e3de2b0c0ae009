package configs

import (
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The drivers that keep transactions.
const (
	DriverBolt = "bbolt" // the file of this kiosk
	DriverEtcd = "etcd"  // a cluster that the kiosks of a branch share
)

// Etcd configures the cluster of a branch. The files may be "" as long as the driver is another one.
type Etcd struct {
	Endpoints   []string      `mapstructure:"endpoints"`
	Prefix      string        `mapstructure:"prefix"`
	KeyFile     string        `mapstructure:"key_file"`
	CA          string        `mapstructure:"ca"`
	Certificate string        `mapstructure:"certificate"`
	Key         string        `mapstructure:"key"`
	Timeout     time.Duration `mapstructure:"timeout"`
}

func branchKeys() []key {
	pem := "name a PEM file"
	return []key{
		{
			path: "store.driver", fallback: DriverBolt, choices: []string{DriverBolt, DriverEtcd},
			doc: "where transactions are kept: bbolt is a file of this kiosk, etcd a cluster that the kiosks of a branch share", hint: "etcd needs the keys below store.etcd",
		},
		{
			path: "store.etcd.endpoints", kind: list, each: badEndpoint,
			doc: "members of the branch's cluster, all of them", hint: "write HOST:PORT, as [10.0.0.1:2379, 10.0.0.2:2379, 10.0.0.3:2379]",
		},
		{
			path: "store.etcd.prefix", fallback: "bawab",
			doc: "what the branch's keys in the cluster begin with; another one for each branch key", hint: "write letters, digits, dots, dashes and slashes, as bawab/branch-7",
		},
		{
			path: "store.etcd.key_file", optional: true,
			doc: "file of the branch key, 32 bytes, the same on every kiosk; by default bawab-branch.key of the systemd credentials or else branch.key in the data folder", hint: "make it once with `bawab keys branch FILE`",
		},
		{
			path: "store.etcd.ca", optional: true,
			doc: "PEM file of who signs the certificates of the members", hint: pem,
		},
		{
			path: "store.etcd.certificate", optional: true,
			doc: "PEM file of the certificate that this kiosk shows the members", hint: pem,
		},
		{
			path: "store.etcd.key", optional: true,
			doc: "PEM file of its private key, mode 0600", hint: pem,
		},
		{
			path: "store.etcd.timeout", fallback: "5s", kind: duration, lo: int64(time.Second), hi: int64(30 * time.Second),
			doc: "how long a request waits for the cluster, as during the election of a leader; a lost majority is answered at once", hint: "write a duration with its unit, as 5s",
		},
	}
}

// badEndpoint says why an item is no address of a member.
func badEndpoint(item string) string {
	host, port, err := net.SplitHostPort(item)
	if err != nil || host == "" {
		return "it is not HOST:PORT"
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return "its port is no number from 1 to 65535"
	}
	return badName(host)
}

// badPrefix says why a text cannot begin the keys of a branch.
func badPrefix(text string) string {
	letter := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./", r)
	}
	if strings.ContainsFunc(text, func(r rune) bool { return !letter(r) }) {
		return "it holds other characters than letters, digits and - _ . /"
	}
	if strings.HasPrefix(text, "/") || strings.HasSuffix(text, "/") || strings.Contains(text, "//") {
		return "it begins or ends with a slash, or has two in a row"
	}
	return ""
}

// validate names what the driver lacks, and what is set in vain.
func (s Store) validate() []Problem {
	var problems []Problem
	e := s.Etcd
	if why := badPrefix(e.Prefix); why != "" {
		problems = append(problems, Problem{Path: "store.etcd.prefix", Value: e.Prefix, Msg: why, Hint: "as bawab/branch-7"})
	}
	if len(e.Endpoints) != len(slices.Compact(slices.Sorted(slices.Values(e.Endpoints)))) {
		problems = append(problems, Problem{Path: "store.etcd.endpoints", Value: strings.Join(e.Endpoints, ", "), Msg: "names a member twice", Hint: "the majority is counted by them"})
	}
	for _, k := range []struct {
		path string
		set  bool
	}{
		{"store.etcd.endpoints", len(e.Endpoints) > 0},
		{"store.etcd.ca", e.CA != ""},
		{"store.etcd.certificate", e.Certificate != ""},
		{"store.etcd.key", e.Key != ""},
	} {
		switch {
		case s.Driver == DriverEtcd && !k.set:
			problems = append(problems, Problem{Path: k.path, Msg: "is missing beside store.driver: etcd", Hint: "the cluster is reached by TLS only: `bawab config table` says what each key means"})
		case s.Driver != DriverEtcd && k.set:
			problems = append(problems, Problem{Path: k.path, Msg: "is set, but store.driver is " + s.Driver, Hint: "write store.driver: etcd, or leave it out"})
		}
	}
	return problems
}
