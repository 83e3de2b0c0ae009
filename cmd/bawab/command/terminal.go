package command

import "io"

// Terminal is where a command reads from and writes to.
type Terminal struct {
	In      io.Reader
	Out     io.Writer
	Errs    io.Writer
	Environ []string
	// Version is that of the program.
	Version string
}
