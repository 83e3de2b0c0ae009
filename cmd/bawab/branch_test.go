package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/store/etcdtest"
)

// branch configures every program that the test starts as a kiosk on a cluster.
func branch(t *testing.T) *etcdtest.Cluster {
	t.Helper()
	cluster := etcdtest.Start(t)
	key := filepath.Join(t.TempDir(), "branch.key")
	out, err := exec.Command("bawab", "keys", "branch", key).CombinedOutput()
	if err != nil || !strings.Contains(string(out), key) {
		t.Fatalf("keys branch: %v, %s", err, out)
	}
	if out, err := exec.Command("bawab", "keys", "branch", key).CombinedOutput(); err == nil {
		t.Errorf("a branch key was overwritten: %s", out)
	}
	if info, err := os.Stat(key); err != nil || info.Size() != 32 || info.Mode() != 0o600 {
		t.Fatalf("branch key: %v, %v", info, err)
	}
	for name, value := range map[string]string{
		"DRIVER": "etcd", "ETCD_ENDPOINTS": strings.Join(cluster.Endpoints(), ","), "ETCD_CA": cluster.CA,
		"ETCD_CERTIFICATE": cluster.Certificate, "ETCD_KEY": cluster.Key, "ETCD_KEY_FILE": key, "ETCD_TIMEOUT": "30s",
	} {
		t.Setenv("BAWAB_STORE_"+name, value)
	}
	return cluster
}

// timed posts a request and returns its status, its Retry-After and how long it took.
func timed(t *testing.T, p *program, endpoint appliance.Endpoint, members map[string]any) (status int, retry string, took time.Duration) {
	t.Helper()
	body, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+p.listen+"/v1/"+string(endpoint), bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("ApiKey", p.secret)
	began := time.Now()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	return res.StatusCode, res.Header.Get("Retry-After"), time.Since(began)
}

// doctorSays returns what `bawab doctor` prints about a kiosk.
func doctorSays(t *testing.T, p *program) string {
	t.Helper()
	out, _ := exec.Command("bawab", "doctor", "--data", p.dir).Output() // it exits 1 where something is wrong
	return string(out)
}

// A document that was read at one kiosk is compared with a face at another. Losing a member changes nothing for either,
// losing the majority is answered 503 with Retry-After at once, and is over by itself when the members are back; doctor and
// readyz say so. What is erased at one kiosk is gone at the other.
func TestBranch(t *testing.T) {
	cluster := branch(t)
	a, b := startProgram(t, t.TempDir()), startProgram(t, t.TempDir())
	document, err := os.ReadFile(filepath.Join("..", "..", "models", "samples", "id_front.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	picture, face := base64.StdEncoding.EncodeToString(document), encoded(t, sampleFrame(t))
	read := a.mustPost(appliance.EndpointIDFront, map[string]any{"image": picture})
	if read.Status != http.StatusOK {
		t.Fatalf("a reads %+v", read)
	}
	match := map[string]any{"image": face, "transaction_id": read.Data["transaction_id"]}
	here, there := a.mustPost(appliance.EndpointFaceMatch, match), b.mustPost(appliance.EndpointFaceMatch, match)
	if here.Status != http.StatusOK || there.Status != http.StatusOK || here.Data["similarity"] != there.Data["similarity"] || there.Data["similarity"] == nil {
		t.Fatalf("a compares %+v, b %+v", here, there)
	}
	if said := doctorSays(t, b); strings.Count(said, "ok   member") != 3 || !strings.Contains(said, "ok   cluster") || !strings.Contains(said, "ok   branch key") {
		t.Errorf("doctor says\n%s", said)
	}

	if said := b.command("store", "check", "--data", b.dir); !strings.Contains(said, "1 transactions with ") || !strings.Contains(said, "in the cluster, 0 of them damaged") {
		t.Errorf("store check says\n%s", said)
	}

	cluster.Kill(t, 0)
	if r := b.mustPost(appliance.EndpointFaceMatch, match); r.Status != http.StatusOK {
		t.Errorf("with a member lost: %+v", r)
	}
	if said := doctorSays(t, b); !strings.Contains(said, "FAIL cluster") || !strings.Contains(said, "2 of 3 members answer") || !strings.Contains(said, "nothing is lost") {
		t.Errorf("with a member lost doctor says\n%s", said)
	}

	cluster.Kill(t, 1)
	appliancetest.Until(t, patience, "b is not ready", func() bool { return b.readiness() == http.StatusServiceUnavailable })
	for _, p := range []*program{a, b} {
		status, retry, took := timed(t, p, appliance.EndpointFaceMatch, match)
		if status != http.StatusServiceUnavailable || retry == "" || took > 5*time.Second {
			t.Errorf("without a majority: %d, Retry-After %q, after %v", status, retry, took)
		}
		t.Logf("without a majority: %d, Retry-After %s, after %v", status, retry, took)
	}
	if said := doctorSays(t, b); !strings.Contains(said, "1 of 3 members answer") || !strings.Contains(said, "503") {
		t.Errorf("without a majority doctor says\n%s", said)
	}

	cluster.Restart(t, 0)
	cluster.Restart(t, 1)
	for _, p := range []*program{a, b} { // each kiosk finds out for itself
		appliancetest.Until(t, patience, "a kiosk is ready again", func() bool { return p.readiness() == http.StatusOK })
	}
	if r := b.mustPost(appliance.EndpointFaceMatch, match); r.Status != http.StatusOK {
		t.Errorf("afterwards: %+v", r)
	}
	said := a.command("store", "erase", read.Data["transaction_id"].(string), "--data", a.dir)
	if !strings.Contains(said, "erased: ") || !strings.Contains(said, "cluster") {
		t.Errorf("erase says %s", said)
	}
	if r := b.mustPost(appliance.EndpointFaceMatch, match); r.Code != int(appliance.CodeTransactionExpired) {
		t.Errorf("after the erasure: %+v", r)
	}
	for _, p := range []*program{a, b} {
		if err := p.stop(syscall.SIGTERM); err != nil {
			t.Errorf("stop: %v; its log:\n%s", err, p.log.String())
		}
	}
}

// readiness is the status of /readyz.
func (p *program) readiness() int {
	p.t.Helper()
	res, err := http.Get("http://" + p.listen + "/readyz")
	if err != nil {
		p.t.Fatal(err)
	}
	res.Body.Close()
	return res.StatusCode
}
