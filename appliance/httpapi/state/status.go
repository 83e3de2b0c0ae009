// Package state is what a running daemon tells about itself, to the pages and to the command line.
package state

import (
	"time"

	"github.com/bawab/bawab/appliance"
)

// Status is what the daemon tells about itself.
type Status struct {
	Version string
	PID     int
	Started time.Time
	Listen  string
	// Fingerprint is the SHA-256 of the certificate in pairs of hexadecimal digits, "" without TLS.
	Fingerprint string
	Warnings    []appliance.Warning
	Models      []Model
	Calibration string // SHA-256 of the calibration by which documents are read, in lower-case hexadecimal
}

// Model names one network of the daemon; SHA256 is in lower-case hexadecimal.
type Model struct {
	Name   string
	SHA256 string
}

// ModelsInUse is the model set that the daemon uses, by its version.
type ModelsInUse struct{ Version uint64 }
