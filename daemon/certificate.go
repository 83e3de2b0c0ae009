package daemon

import (
	"context"
	"crypto/tls"
	"net"
	"time"

	"github.com/bawab/bawab/appliance/certificate"
	"github.com/bawab/bawab/appliance/httpapi/transport"
	"github.com/bawab/bawab/configs"
)

// CertificateConfig says where the certificate of a configuration lies. The address that the daemon listens on is one of
// the names, unless it stands for all of them.
func CertificateConfig(cfg *configs.Config) certificate.Config {
	c := certificate.Config{File: cfg.TLS.Certificate, KeyFile: cfg.TLS.Key, Dir: cfg.Data, Names: cfg.TLS.Names}
	if host, _, err := net.SplitHostPort(cfg.Listen); err == nil {
		if ip := net.ParseIP(host); ip != nil && !ip.IsUnspecified() {
			c.Names = append([]string{host}, c.Names...)
		}
	}
	return c
}

// certificateLook is how often the daemon looks whether the files of its certificate have changed.
const certificateLook = 2 * time.Second

// openCertificate loads or makes the certificate, and looks after it from then on. On loopback there is none.
func (d *daemon) openCertificate() (*tls.Config, error) {
	if transport.Loopback(d.cfg.Listen) {
		return nil, nil
	}
	k := certificate.New(CertificateConfig(d.cfg), d.journal, d.log, time.Now)
	if err := k.Open(); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		k.Run(ctx, certificateLook)
	}()
	d.push("certificate", func() error {
		stop()
		<-done
		return nil
	})
	d.certificate = k
	return k.TLS(), nil
}
