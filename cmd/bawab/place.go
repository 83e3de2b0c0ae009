package main

import (
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/daemon"
)

// place holds the flags that say which appliance a command is about.
type place struct {
	data   string
	config string
}

func (p *place) flags(fs *flag.FlagSet) {
	fs.StringVar(&p.data, "data", "", "`DIR` of the store, the keys and the control socket; overrides the configuration")
	fs.StringVar(&p.config, "config", "", "configuration `FILE` (by default "+configs.DefaultFile+", if it is there)")
}

// load gathers the configuration; extra values of the command line win.
func (p *place) load(t *terminal, extra map[string]string) (*configs.Config, error) {
	flags := map[string]string{}
	if p.data != "" {
		flags["data"] = p.data
	}
	for path, value := range extra {
		if value != "" {
			flags[path] = value
		}
	}
	return configs.Load(configs.Sources{File: p.config, Environ: t.environ, Flags: flags})
}

// modelsFlag declares the flag of a pack; instead says of which networks it takes the place.
func modelsFlag(fs *flag.FlagSet, c *daemon.Choice, instead string) {
	fs.StringVar(&c.Pack, "models", "", "`PACK` to read with instead of the networks "+instead)
}

// calibrationFlag declares the flag of a calibration.
func calibrationFlag(fs *flag.FlagSet, c *daemon.Choice) {
	fs.StringVar(&c.Calibration, "calibration", "", "`FILE` that 'bawab eval fit' wrote, to read by in the place of the pack's calibration")
}

// kindsFlag declares the flag of kinds.
func kindsFlag(fs *flag.FlagSet, c *daemon.Choice) {
	fs.StringVar(&c.Kinds, "kinds", "", "`FOLDER` of kinds of documents to read as well, each a folder in it, in the place of the pack's")
}
