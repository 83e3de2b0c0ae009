package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/cmd/bawab/command"
)

// manualEnd closes the page of the program itself.
const manualEnd = `
.SH FILES
.TP
.I /etc/bawab/bawab.yaml
the configuration
.TP
.I /var/lib/bawab
the data folder, mode 0700
.SH EXIT STATUS
0 when all went well, 1 after an error, 2 for a wrong call.
`

func manualCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "manual DIR", Short: "write the man pages", Hidden: true,
		Long: "Writes a man page of every command into DIR, which must be there. SOURCE_DATE_EPOCH dates them. The packages are built with it.",
	}, func(*flag.FlagSet) command.Action {
		return func(_ context.Context, _ *command.Terminal, args []string) error { return writeManual(args[0]) }
	})
}

// writeManual writes the man page of each command that the help lists.
func writeManual(dir string) error {
	date, err := manualDate()
	if err != nil {
		return err
	}
	var write func(c *cobra.Command) error
	write = func(c *cobra.Command) error {
		var page bytes.Buffer
		c.DisableAutoGenTag = true
		c.Flags().VisitAll(func(f *flag.Flag) { _, f.Usage = flag.UnquoteUsage(f) })
		if err := doc.GenMan(c, &doc.GenManHeader{Date: &date, Section: "1", Source: "bawab", Manual: "User Commands"}, &page); err != nil {
			return err
		}
		if !c.HasParent() {
			page.WriteString(manualEnd)
		}
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		if err := os.WriteFile(filepath.Join(dir, name), page.Bytes(), 0o644); err != nil {
			return err
		}
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				if err := write(sub); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return write(commands())
}

// manualDate is the date of the pages, in UTC whatever the time zone of the machine: equal sources give equal packages.
func manualDate() (time.Time, error) {
	epoch := os.Getenv("SOURCE_DATE_EPOCH")
	if epoch == "" {
		return time.Now().UTC(), nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	return time.Unix(seconds, 0).UTC(), nil
}
