package daemon

import (
	"cmp"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/store"
	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/systemd"
)

// StoreConfig says where the store of a configuration lies; log may be nil. The appliance key of systemd's credentials
// is taken where there is one and the configuration names no other.
func StoreConfig(cfg *configs.Config, environ []string, log *slog.Logger) store.Config {
	key := cmp.Or(cfg.Store.KeyFile, credential(environ, "bawab.key"))
	return store.Config{
		Dir:          cfg.Data,
		KeyFile:      key,
		KeyElsewhere: passing(key, credentials(environ)),
		TTL:          cfg.Store.TTL,
		MaxAge:       cfg.Store.MaxAge,
		ReviewRoom:   int64(cfg.Review.Room),
		Log:          log,
	}
}

// credentials is the folder of systemd's credentials, "" where there are none.
func credentials(environ []string) string { return systemd.Getenv(environ, "CREDENTIALS_DIRECTORY") }

// credential returns where one of systemd's credentials lies, "" where there is none of that name.
func credential(environ []string, name string) string {
	dir := credentials(environ)
	if dir == "" {
		return ""
	}
	file := filepath.Join(dir, name)
	if _, err := os.Stat(file); err != nil {
		return ""
	}
	return file
}

// passing reports whether a file lies where things last until the next start only: among systemd's credentials, or below
// /run.
func passing(file, credentials string) bool {
	return strings.HasPrefix(file, "/run/") || credentials != "" && strings.HasPrefix(file, filepath.Clean(credentials)+"/")
}

// ReportChecks turns the report of the store into lines for a person. Of one that could not be read nothing was counted.
func ReportChecks(r database.Report) []appliance.Check {
	detail := "not readable, " + words.Size(r.Bytes)
	if r.Schema > 0 {
		detail = fmt.Sprintf(
			"schema %d, %s, %d ended, %s, %s",
			r.Schema,
			words.Transactions(r.Transactions, r.Records),
			r.Expired,
			words.Count(r.Keys, "key", "keys"),
			words.Size(r.Bytes),
		)
	}
	checks := []appliance.Check{{Name: "store", OK: r.OK(), Detail: detail}}
	for _, p := range r.Problems {
		checks = append(checks, appliance.Check{
			Name: "store", Detail: p,
			Hint: "stop the daemon and save what can be read with `bawab store salvage`",
		})
	}
	return checks
}
