package main

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"

	"github.com/bawab/bawab/appliance"
)

// networkAddress is an address of this machine that others reach it by; loopback where it is in no network.
func networkAddress(t *testing.T) string {
	t.Helper()
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if p, err := netip.ParsePrefix(a.String()); err == nil && p.Addr().Is4() && !p.Addr().IsLoopback() {
			return p.Addr().String()
		}
	}
	return "127.0.0.1"
}

// keyPin is how Chromium names the key of a certificate.
func keyPin(c *x509.Certificate) string {
	sum := sha256.Sum256(c.RawSubjectPublicKeyInfo)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// certificate is what the appliance shows at an address to a client that trusts nobody but the exported authority.
func (p *program) certificate(address string) *x509.Certificate {
	p.t.Helper()
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM([]byte(p.command("tls", "export", "--ca", "--data", p.dir))) {
		p.t.Fatal("no authority is exported")
	}
	c, err := tls.Dial("tcp", address, &tls.Config{RootCAs: roots})
	if err != nil {
		p.t.Fatalf("who trusts the authority does not trust the appliance: %v", err)
	}
	defer c.Close()
	return c.ConnectionState().PeerCertificates[0]
}

// reads has the page read a passport through an API, and returns the status and the kind that the page sees.
func (b *browser) reads(api, secret string) string {
	b.t.Helper()
	return b.eventually(fmt.Sprintf(`fetch(%q, {method: "POST", headers: {ApiKey: %q, "Content-Type": "application/json"},
		body: JSON.stringify({image: %q})}).then(r => r.json().then(a => r.status + " " + a.Services.classification.doc_type))`,
		api+"/v1/"+string(appliance.EndpointPassport), secret, samplePictureText(b.t, "passport.jpg")))
}

// Pages served by https from another origin read a document through the API in a browser: over TLS at an address of the network, with the
// certificate that the appliance's own authority has signed, and over plain HTTP on loopback; pages of the public network only after the
// person has let them. A page of an origin that is not listed reads nothing, whatever the person says.
func TestPagesByHTTPS(t *testing.T) {
	site := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/public" {
			w.Header().Set("Content-Security-Policy", "treat-as-public-address")
		}
	}))
	t.Cleanup(site.Close)
	listed, unlisted := site.URL, strings.Replace(site.URL, "127.0.0.1", "localhost", 1)
	address := networkAddress(t)
	far := startProgramAt(t, "0.0.0.0:0", t.TempDir(), "BAWAB_HTTP_ORIGINS="+listed, "BAWAB_HTTP_ALLOW="+address)
	near := startProgram(t, t.TempDir(), "BAWAB_HTTP_ORIGINS="+listed)
	_, port, err := net.SplitHostPort(far.listen)
	if err != nil {
		t.Fatal(err)
	}
	network, loopback := net.JoinHostPort(address, port), "http://"+near.listen
	pins := keyPin(site.Certificate()) + "," + keyPin(far.certificate(network))
	b := browse(t, listed, chromedp.Flag("ignore-certificate-errors-spki-list", pins))
	const failed, granted, denied = "failed: TypeError: Failed to fetch", "granted", "denied"
	for _, tt := range []struct{ page, api, secret, person, want string }{
		{listed, "https://" + network, far.secret, denied, "200 passport"},
		{unlisted, "https://" + network, far.secret, granted, failed},
		{listed, loopback, near.secret, denied, "200 passport"},
		{unlisted, loopback, near.secret, granted, failed},
		{listed + "/public", loopback, near.secret, denied, failed},
		{listed + "/public", loopback, near.secret, granted, "200 passport"},
		{unlisted + "/public", loopback, near.secret, granted, failed},
	} {
		b.run(chromedp.Navigate(tt.page))
		if _, err := chromedp.Call(b.ctx, cdpbrowser.SetPermission, cdpbrowser.SetPermissionParams{
			Permission: &cdpbrowser.PermissionDescriptor{Name: "loopback-network"}, Setting: cdpbrowser.PermissionSetting(tt.person),
		}); err != nil {
			t.Fatal(err)
		}
		if got := b.reads(tt.api, tt.secret); got != tt.want {
			t.Errorf("%s calls %s, %s: %s, want %s", tt.page, tt.api, tt.person, got, tt.want)
		}
	}
}
