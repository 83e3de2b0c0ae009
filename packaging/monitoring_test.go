package packaging_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// monitored reads a file of the monitoring kit.
func monitored(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("monitoring", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Prometheus takes the scrape example and the alert rules, and each alert comes when it should and not before.
func TestAlertRules(t *testing.T) {
	if _, err := exec.LookPath("promtool"); err != nil {
		t.Skip("no promtool here (Debian package prometheus)")
	}
	for _, args := range [][]string{{"check", "config", "prometheus.yml"}, {"check", "rules", "alerts.yml"}, {"test", "rules", "alerts_test.yml"}} {
		cmd := exec.Command("promtool", args...)
		cmd.Dir = "monitoring"
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	for _, name := range regexp.MustCompile(`alert: (\w+)`).FindAllStringSubmatch(monitored(t, "alerts.yml"), -1) {
		if !strings.Contains(monitored(t, "alerts_test.yml"), "alertname: "+name[1]+"\n") {
			t.Errorf("no test lets %s come", name[1])
		}
	}
}

// Rules and dashboard name only figures that the daemon has: one that was renamed would leave an alert silent for ever. The
// dashboard shows all of them.
func TestMonitoredFigures(t *testing.T) {
	known := map[string]bool{}
	for _, file := range []string{"server.go", "metrics.go", filepath.Join("route", "figures.go")} {
		source, err := os.ReadFile(filepath.Join("..", "appliance", "httpapi", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"(bawab_\w+)"`).FindAllStringSubmatch(string(source), -1) {
			known[m[1]] = true
		}
	}
	shown := map[string]bool{}
	for _, file := range []string{"alerts.yml", "alerts_test.yml", "dashboard.json"} {
		for _, name := range regexp.MustCompile(`\bbawab_\w+`).FindAllString(monitored(t, file), -1) {
			name = regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(name, "")
			if !known[name] {
				t.Errorf("%s names %s, which the daemon does not have", file, name)
			}
			if file == "dashboard.json" {
				shown[name] = true
			}
		}
	}
	for name := range known {
		if !shown[name] && name != "bawab_keys" {
			t.Errorf("the dashboard does not show %s", name)
		}
	}
	if !json.Valid([]byte(monitored(t, "dashboard.json"))) {
		t.Error("the dashboard is no JSON")
	}
}
