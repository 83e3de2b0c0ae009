package main

import (
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/configs"
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
