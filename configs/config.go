package configs

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sort"
	"strings"
	"time"

	"github.com/spf13/viper"
)

// DefaultFile is read when no other file is named; it may be missing.
const DefaultFile = "/etc/bawab/bawab.yaml"

// envPrefix begins every environment variable that overrides a key.
const envPrefix = "BAWAB_"

// Config is a checked configuration; the table in keys says what each value means and which are allowed.
type Config struct {
	Listen  string  `mapstructure:"listen"`
	Data    string  `mapstructure:"data"`
	Store   Store   `mapstructure:"store"`
	Picture Picture `mapstructure:"picture"`
	Queue   Queue   `mapstructure:"queue"`
	Keys    Keys    `mapstructure:"keys"`
	Face    Face    `mapstructure:"face"`
	Camera  Camera  `mapstructure:"camera"`
	Kiosk   Kiosk   `mapstructure:"kiosk"`
	HTTP    HTTP    `mapstructure:"http"`
	TLS     TLS     `mapstructure:"tls"`
	Log     Log     `mapstructure:"log"`
	Audit   Audit   `mapstructure:"audit"`
	Models  Models  `mapstructure:"models"`
	Review  Review  `mapstructure:"review"`

	// origins holds where the values come from that are not defaults, by dotted path.
	origins map[string]Origin
}

// Store configures where the appliance key lies, how long transactions live and which driver keeps them. KeyFile may be "".
type Store struct {
	KeyFile string        `mapstructure:"key_file"`
	TTL     time.Duration `mapstructure:"ttl"`
	MaxAge  time.Duration `mapstructure:"max_age"`
	Sweep   time.Duration `mapstructure:"sweep"`
	MinFree Bytes         `mapstructure:"min_free"`
	Driver  string        `mapstructure:"driver"`
	Etcd    Etcd          `mapstructure:"etcd"`
}

// Keys configures what API keys may do.
type Keys struct {
	// BindTransactions gives a transaction to the key that began it.
	BindTransactions bool `mapstructure:"bind_transactions"`
}

// Picture limits what is decoded.
type Picture struct {
	MaxBytes  Bytes `mapstructure:"max_bytes"`
	MaxPixels int   `mapstructure:"max_pixels"`
	MinSide   int   `mapstructure:"min_side"`
	// MaxTime is how long one may take to be decoded and read.
	MaxTime time.Duration `mapstructure:"max_time"`
}

// Queue bounds the work; Workers 0 stands for one per core.
type Queue struct {
	Workers int `mapstructure:"workers"`
	Waiting int `mapstructure:"waiting"`
}

// HTTP configures the listener.
type HTTP struct {
	MaxBodyBytes         Bytes         `mapstructure:"max_body_bytes"`
	MaxLivenessBodyBytes Bytes         `mapstructure:"max_liveness_body_bytes"`
	MaxBufferedBytes     Bytes         `mapstructure:"max_buffered_bytes"`
	MaxHeaderBytes       Bytes         `mapstructure:"max_header_bytes"`
	HeaderTimeout        time.Duration `mapstructure:"header_timeout"`
	ReadTimeout          time.Duration `mapstructure:"read_timeout"`
	WriteTimeout         time.Duration `mapstructure:"write_timeout"`
	IdleTimeout          time.Duration `mapstructure:"idle_timeout"`
	DrainTimeout         time.Duration `mapstructure:"drain_timeout"`
	MaxConnections       int           `mapstructure:"max_connections"`
	BadKeysPerMinute     int           `mapstructure:"bad_keys_per_minute"`
	RequestsPerMinute    int           `mapstructure:"requests_per_minute"`
	Allow                []string      `mapstructure:"allow"`
	MetricsAllow         []string      `mapstructure:"metrics_allow"`
	Origins              []string      `mapstructure:"origins"`
}

// TLS says which certificate the API shows on any address but loopback. Certificate and Key are files, both or none; Names are
// what the appliance's own certificate is made for.
type TLS struct {
	Names       []string `mapstructure:"names"`
	Certificate string   `mapstructure:"certificate"`
	Key         string   `mapstructure:"key"`
}

// Log configures the log on standard error.
type Log struct {
	Level  string `mapstructure:"level"`
	Format string `mapstructure:"format"`
}

// Sources says where a configuration comes from.
type Sources struct {
	// File is the YAML file; "" reads DefaultFile if it exists.
	File string
	// Environ holds NAME=value entries, as os.Environ returns them.
	Environ []string
	// Flags holds values from the command line by dotted path.
	Flags map[string]string
}

// Load gathers the configuration and checks it. An *Error lists every problem at once.
func Load(s Sources) (*Config, error) {
	v := viper.New()
	table := keys()
	for _, k := range table {
		v.SetDefault(k.path, k.fallback)
	}
	origin, err := readFile(v, s.File)
	if err != nil {
		return nil, err
	}
	origins := s.origins(table, v.InConfig)
	problems := unknownKeys(v, table, origin)
	problems = append(problems, overlay(v, table, s)...)
	for _, k := range table {
		found := v.Get(k.path)
		if found == nil { // shadowed by a value in place of its section, which is reported already
			continue
		}
		parsed, why := k.parse(found)
		if why != "" {
			problems = append(problems, Problem{Path: k.path, Value: fmt.Sprint(found), Msg: why, Hint: k.hint})
			continue
		}
		v.Set(k.path, parsed)
	}
	if len(problems) > 0 {
		return nil, &Error{Problems: problems}
	}
	var c Config
	if err := v.UnmarshalExact(&c); err != nil {
		return nil, fmt.Errorf("decode configuration: %w", err)
	}
	if problems := c.Validate(); len(problems) > 0 {
		return nil, &Error{Problems: problems}
	}
	c.origins = origins
	return &c, nil
}

// readFile loads the YAML file into v and returns its name, "" when there is none.
func readFile(v *viper.Viper, name string) (string, error) {
	optional := name == ""
	if optional {
		name = DefaultFile
	}
	text, err := os.ReadFile(name)
	if optional && errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", &Error{Problems: []Problem{{
			Msg:  "the configuration file cannot be read: " + err.Error(),
			Hint: "name a readable YAML file with --config",
		}}}
	}
	v.SetConfigType("yaml")
	if err := v.ReadConfig(bytes.NewReader(text)); err != nil {
		return "", &Error{Problems: []Problem{{
			Msg:  name + " is not valid YAML: " + cause(err).Error(),
			Hint: "print a valid file to start from with `bawab config print`",
		}}}
	}
	return name, nil
}

func cause(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}

// unknownKeys names every key of the file that is not in the table, with the nearest one that is. Values of
// unknown keys are not shown: a key in the wrong file may well be a password.
func unknownKeys(v *viper.Viper, table []key, origin string) []Problem {
	var problems []Problem
	all := v.AllKeys()
	sort.Strings(all)
	for _, path := range all {
		if known(table, path) {
			continue
		}
		p := Problem{Path: path, Msg: "is not a configuration key (in " + origin + ")", Hint: "did you mean " + nearest(table, path) + "?"}
		if section(table, path) {
			p.Msg = "is a section and needs keys below it (in " + origin + ")"
		}
		problems = append(problems, p)
	}
	return problems
}

// overlay puts environment and flags over the file. A BAWAB_ variable that fits no key is a problem: ignored, it
// would leave an operator with a default that he believes he changed. An empty variable counts as none.
func overlay(v *viper.Viper, table []key, s Sources) []Problem {
	var problems []Problem
	for _, entry := range s.Environ {
		name, value, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, envPrefix) || value == "" {
			continue
		}
		found := false
		for _, k := range table {
			if k.env() == name {
				v.Set(k.path, value)
				found = true
			}
		}
		if !found {
			near := nearest(table, strings.ToLower(strings.TrimPrefix(name, envPrefix)))
			problems = append(problems, Problem{
				Path: name, Msg: "is not a configuration key (in the environment)",
				Hint: "did you mean " + envName(near) + "?",
			})
		}
	}
	for path, value := range s.Flags {
		v.Set(path, value)
	}
	return problems
}

// Validate returns what is wrong between keys; Load has checked each key by itself.
func (c *Config) Validate() []Problem {
	problems := append(c.Models.validate(), c.Store.validate()...)
	problems = append(problems, c.Review.validate(c.Store.Driver)...)
	need := c.Picture.MaxBytes/3*4 + 64<<10
	if c.HTTP.MaxBodyBytes < need {
		problems = append(problems, Problem{
			Path: "http.max_body_bytes", Value: c.HTTP.MaxBodyBytes.String(),
			Msg:  fmt.Sprintf("must be at least %d for pictures of %s in base64", int64(need), c.Picture.MaxBytes),
			Hint: "raise http.max_body_bytes or lower picture.max_bytes",
		})
	}
	if c.HTTP.MaxLivenessBodyBytes < c.HTTP.MaxBodyBytes {
		problems = append(problems, Problem{
			Path: "http.max_liveness_body_bytes", Value: c.HTTP.MaxLivenessBodyBytes.String(),
			Msg: "must be at least http.max_body_bytes (" + c.HTTP.MaxBodyBytes.String() + ")", Hint: "a liveness request carries three pictures",
		})
	}
	if c.HTTP.MaxBufferedBytes < 2*c.HTTP.MaxLivenessBodyBytes {
		problems = append(problems, Problem{
			Path: "http.max_buffered_bytes", Value: c.HTTP.MaxBufferedBytes.String(),
			Msg: "must be at least twice http.max_liveness_body_bytes (" + c.HTTP.MaxLivenessBodyBytes.String() + ")", Hint: "one key gets at most half of it, and one request must fit into that",
		})
	}
	problems = append(problems, c.Camera.validate()...)
	problems = append(problems, c.Kiosk.validate(c.Camera)...)
	if c.HTTP.ReadTimeout < c.HTTP.HeaderTimeout {
		problems = append(problems, Problem{
			Path: "http.read_timeout", Value: c.HTTP.ReadTimeout.String(),
			Msg: "must be at least http.header_timeout (" + c.HTTP.HeaderTimeout.String() + ")", Hint: "it covers headers and body",
		})
	}
	return append(problems, c.TLS.validate()...)
}
