// Package systemd holds bawab's unit file and the account it runs as, so that the
// binary can install the very files that the packages ship, and talks to the
// service manager of a running process.
package systemd

import _ "embed"

//go:embed bawab.service
var unit string

//go:embed bawab.sysusers
var account string

// Name is the file name of the unit.
const Name = "bawab.service"

// Program is where the unit expects the binary.
const Program = "/usr/bin/bawab"

// Unit is the content of the unit file.
func Unit() string { return unit }

// Sysusers is the content of the file from which systemd-sysusers makes the
// account of the unit.
func Sysusers() string { return account }
