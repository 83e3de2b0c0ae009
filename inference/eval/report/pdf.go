package report

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/bawab/bawab/appliance"
)

// printTime bounds the printing of a page: many times what it takes on a slow board.
const printTime = 2 * time.Minute

// Browser finds a program that prints pages.
func Browser() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", &appliance.Error{
		Op: "print report", Msg: "there is no Chromium on this machine to make a PDF with",
		Hint: "leave --pdf out and print the HTML page from any browser, or install the package chromium",
	}
}

// Print makes a PDF of a page. The browser runs without a network: the page needs none.
func Print(ctx context.Context, browser, page, to string) (err error) {
	ctx, cancel := context.WithTimeout(ctx, printTime)
	defer cancel()
	profile, err := os.MkdirTemp("", "bawab-report-")
	if err != nil {
		return fmt.Errorf("print report: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(profile)) }()
	source, err := filepath.Abs(page)
	if err != nil {
		return fmt.Errorf("print report: %w", err)
	}
	made := filepath.Join(profile, "page.pdf")
	options := []string{
		"--headless=new", "--disable-gpu", "--no-first-run", "--no-default-browser-check", "--disable-background-networking",
		"--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir=" + profile, "--no-pdf-header-footer", "--print-to-pdf=" + made,
	}
	if os.Getuid() == 0 { // its sandbox refuses root; it is shown our own page alone
		options = append(options, "--no-sandbox")
	}
	out, err := exec.CommandContext(ctx, browser, append(options, "file://"+source)...).CombinedOutput()
	text, missing := os.ReadFile(made)
	if err != nil || missing != nil || len(text) == 0 {
		return &appliance.Error{
			Op: "print report", Msg: browser + " made no PDF", Hint: "the HTML page is written: print it from a browser",
			Err: fmt.Errorf("%w: %.300s", errors.Join(err, missing), out),
		}
	}
	return os.WriteFile(to, text, 0o600)
}
