package etcd

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"os"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/seal"
)

// connect makes a client for each member. None is reached yet. The store chooses the member for each call by what it knows
// of them.
func (c Config) connect() ([]*member, error) {
	var members []*member
	for _, endpoint := range c.Endpoints {
		host, _, err := net.SplitHostPort(endpoint)
		if err != nil {
			return nil, configError("an endpoint of the cluster is not HOST:PORT", "check store.etcd.endpoints", err)
		}
		secure, err := c.tls(host)
		if err != nil {
			return nil, err
		}
		client, err := newClient(endpoint, secure)
		if err != nil {
			closeAll(members)
			return nil, configError("an endpoint of the cluster cannot be used", "check store.etcd.endpoints", err)
		}
		members = append(members, newMember(endpoint, c.silence, client))
	}
	return members, nil
}

func closeAll(members []*member) {
	for _, m := range members {
		m.client.Close()
	}
}

// tls is how a member must show itself and how this kiosk does. The files are checked now, and the kiosk's certificate is
// read again for each connection, so that it can be renewed without a restart.
func (c Config) tls(host string) (*tls.Config, error) {
	text, err := os.ReadFile(c.CA)
	if err != nil {
		return nil, configError("the certificates that the cluster is trusted by cannot be read", "check store.etcd.ca: "+c.CA, err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, configError("there is no certificate in the file that the cluster is trusted by", "check store.etcd.ca: "+c.CA, nil)
	}
	if _, err := c.pair(); err != nil {
		return nil, err
	}
	info, err := os.Stat(c.CertificateKey)
	if err != nil {
		return nil, configError("the kiosk's key for the cluster cannot be read", "check store.etcd.key", err)
	}
	if err := seal.Private("key of the kiosk's certificate", c.CertificateKey, info, seal.LooseConfigured, c.owners()); err != nil {
		return nil, err
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS12, RootCAs: pool, ServerName: host,
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return c.pair() },
	}, nil
}

// pair reads the certificate that this kiosk shows.
func (c Config) pair() (*tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(c.Certificate, c.CertificateKey)
	if err != nil {
		return nil, configError("the kiosk's certificate for the cluster cannot be used",
			"check store.etcd.certificate and store.etcd.key: "+c.Certificate+", "+c.CertificateKey, err)
	}
	return &pair, nil
}

func configError(msg, hint string, err error) error {
	return &appliance.Error{Code: appliance.CodeUnavailable, Op: "open branch store", Msg: msg, Hint: hint, Err: err}
}
