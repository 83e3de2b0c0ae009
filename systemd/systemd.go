// Package systemd holds bawab's unit file, so that the binary can install the
// very file that the packages ship.
package systemd

import _ "embed"

//go:embed bawab.service
var unit string

// Name is the file name of the unit.
const Name = "bawab.service"

// Unit is the content of the unit file.
func Unit() string { return unit }
