// Package configs holds the configuration of the appliance: its keys, their defaults and limits, and the way from
// a YAML file, environment variables and command-line flags to one checked Config.
//
// Precedence, weakest first: default, file, environment (BAWAB_ and the dotted path in capitals with underscores,
// as BAWAB_STORE_TTL=45m), command line. One table of keys feeds the defaults, the checks, the JSON schema and the
// table of docs/configuration.md, so that they cannot drift apart. No key holds a secret: the appliance key and the API keys
// live in the data folder.
package configs
