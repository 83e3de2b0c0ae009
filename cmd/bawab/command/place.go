package command

import (
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/configs"
)

// Place holds the flags that say which appliance a command is about.
type Place struct {
	Data   string
	Config string
}

// Flags declares the flags.
func (p *Place) Flags(fs *flag.FlagSet) {
	fs.StringVar(&p.Data, "data", "", "`DIR` of the store, the keys and the control socket; overrides the configuration")
	fs.StringVar(&p.Config, "config", "", "configuration `FILE` (by default "+configs.DefaultFile+", if it is there)")
}

// Load gathers the configuration; extra values of the command line win.
func (p *Place) Load(t *Terminal, extra map[string]string) (*configs.Config, error) {
	flags := map[string]string{}
	if p.Data != "" {
		flags["data"] = p.Data
	}
	for path, value := range extra {
		if value != "" {
			flags[path] = value
		}
	}
	return configs.Load(configs.Sources{File: p.Config, Environ: t.Environ, Flags: flags})
}

// NotGUID is what is wrong with the id of a transaction that cannot be one.
const NotGUID = "is not a GUID: write 8-4-4-4-12 hexadecimal digits with hyphens"
