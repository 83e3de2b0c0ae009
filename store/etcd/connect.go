package etcd

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/seal"
)

const (
	// dialTimeout bounds one attempt to connect, and maxBackoff the time between two: what comes back is found soon.
	dialTimeout = time.Second
	maxBackoff  = time.Second
	// pingEvery is how often an idle connection is tried; members refuse more than one in five seconds.
	pingEvery   = 10 * time.Second
	pingTimeout = 3 * time.Second
)

// connect makes a client for each member. None is reached yet. The store chooses the member for each call itself, by what
// it knows of them, where the client's own choice would find out by a timeout.
func (c Config) connect() ([]*member, error) {
	var members []*member
	for _, endpoint := range c.Endpoints {
		host, _, err := net.SplitHostPort(endpoint)
		if err != nil {
			return nil, errors.Join(configError("an endpoint of the cluster is not HOST:PORT", "check store.etcd.endpoints", err), closeAll(members))
		}
		secure, err := c.tls(host)
		if err != nil {
			return nil, errors.Join(err, closeAll(members))
		}
		client, err := clientv3.New(clientv3.Config{
			Endpoints: []string{"https://" + endpoint}, TLS: secure, Logger: zap.NewNop(), MaxUnaryRetries: 1,
			DialKeepAliveTime: pingEvery, DialKeepAliveTimeout: pingTimeout, PermitWithoutStream: true,
			DialOptions: []grpc.DialOption{grpc.WithConnectParams(grpc.ConnectParams{
				Backoff:           backoff.Config{BaseDelay: 50 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: maxBackoff},
				MinConnectTimeout: dialTimeout,
			})},
		})
		if err != nil {
			return nil, errors.Join(fmt.Errorf("open branch store: %w", err), closeAll(members))
		}
		members = append(members, newMember(endpoint, c.silence, client, etcdserverpb.NewMaintenanceClient(client.ActiveConnection())))
	}
	return members, nil
}

func closeAll(members []*member) error {
	var errs []error
	for _, m := range members {
		errs = append(errs, m.client.Close())
	}
	return errors.Join(errs...)
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
