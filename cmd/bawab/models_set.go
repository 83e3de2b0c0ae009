package main

import (
	"strings"

	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/daemon/doctor"

	"github.com/bawab/bawab/appliance"
)

// checkModelSet says which sets of networks there are, and finds one in use that does not open.
func checkModelSet(t *command.Terminal, p command.Place) appliance.Check {
	_, about, err := setInUse(t, p)
	if err != nil {
		return doctor.Failed("model set", err)
	}
	return appliance.Check{Name: "model set", OK: true, Detail: strings.Join(about, "; ")}
}
