package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bawab/bawab/daemon/packtest"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/bawab/bawab/models"
)

// scriptModelSet writes the networks of the program as a set of another version: FOLDER VERSION [NETWORK]. Of the network that is
// named it turns the labels around, so that it reads nonsense.
func scriptModelSet(ts *testscript.TestScript, _ bool, args []string) {
	version, err := strconv.ParseUint(args[1], 10, 64)
	ts.Check(err)
	ts.Check(packtest.WriteSet(ts.MkAbs(args[0]), version, func(m *models.Model) {
		if len(args) > 2 && m.Name == args[2] {
			labels := []rune(m.Labels)
			slices.Reverse(labels)
			m.Labels = string(labels)
		}
	}))
}

// scriptVendor sets VENDOR to the key that `bawab models pack` printed into a file.
func scriptVendor(ts *testscript.TestScript, _ bool, args []string) {
	_, key, found := strings.Cut(ts.ReadFile(args[0]), "models.vendor_key: ")
	if !found {
		ts.Fatalf("%s names no vendor key", args[0])
	}
	ts.Setenv("VENDOR", strings.TrimSpace(key))
}
