package etcd

import (
	"context"
	"crypto/tls"
	"net"
	"path/filepath"
	"sync/atomic"
	"testing"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	grpcstatus "google.golang.org/grpc/status"

	"github.com/bawab/bawab/store/etcdtest"
)

// refuser is a member that counts calls and refuses each with an error that etcd's client would try again.
type refuser struct {
	pb.UnimplementedKVServer
	pb.UnimplementedLeaseServer
	pb.UnimplementedMaintenanceServer
	calls atomic.Int64
}

func (r *refuser) refuse() error {
	r.calls.Add(1)
	return grpcstatus.Error(codes.Unavailable, "etcdserver: no leader")
}

func (r *refuser) Range(context.Context, *pb.RangeRequest) (*pb.RangeResponse, error) {
	return nil, r.refuse()
}

func (r *refuser) Txn(context.Context, *pb.TxnRequest) (*pb.TxnResponse, error) {
	return nil, r.refuse()
}

func (r *refuser) Compact(context.Context, *pb.CompactionRequest) (*pb.CompactionResponse, error) {
	return nil, r.refuse()
}

func (r *refuser) LeaseGrant(context.Context, *pb.LeaseGrantRequest) (*pb.LeaseGrantResponse, error) {
	return nil, r.refuse()
}

func (r *refuser) LeaseRevoke(context.Context, *pb.LeaseRevokeRequest) (*pb.LeaseRevokeResponse, error) {
	return nil, r.refuse()
}
func (r *refuser) LeaseKeepAlive(pb.Lease_LeaseKeepAliveServer) error { return r.refuse() }
func (r *refuser) Status(context.Context, *pb.StatusRequest) (*pb.StatusResponse, error) {
	return nil, r.refuse()
}

// serveRefuser serves one on a port of its own.
func serveRefuser(t *testing.T) (*refuser, *client) {
	t.Helper()
	dir := t.TempDir()
	files, err := etcdtest.Certificates(dir)
	must(t, err)
	pair, err := tls.LoadX509KeyPair(filepath.Join(dir, "member.crt"), filepath.Join(dir, "member.key"))
	must(t, err)
	at, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	r, server := &refuser{}, grpc.NewServer(grpc.Creds(credentials.NewServerTLSFromCert(&pair)))
	pb.RegisterKVServer(server, r)
	pb.RegisterLeaseServer(server, r)
	pb.RegisterMaintenanceServer(server, r)
	go server.Serve(at)
	t.Cleanup(server.Stop)
	cfg := Config{CA: files.CA, Certificate: files.Certificate, CertificateKey: files.Key}
	secure, err := cfg.tls("127.0.0.1")
	must(t, err)
	c, err := newClient(at.Addr().String(), secure)
	must(t, err)
	t.Cleanup(func() { c.Close() })
	return r, c
}

// A member that refuses a call gets it once: neither etcd's client nor gRPC sends it again by itself, and the refusal is one
// that the store takes for one that can pass.
func TestOnce(t *testing.T) {
	r, c := serveRefuser(t)
	for name, call := range map[string]func() error{
		"get": func() error { _, err := c.Get(t.Context(), "k"); return err },
		"read": func() error {
			_, _, err := c.read(t.Context(), clientv3.OpGet("k"))
			return err
		},
		"txn": func() error {
			_, err := c.Txn(t.Context()).If(unchanged("k", 0)).Then(clientv3.OpPut("k", "v")).Commit()
			return err
		},
		"compact": func() error { _, err := c.Compact(t.Context(), 1); return err },
		"grant":   func() error { _, err := c.Grant(t.Context(), 1); return err },
		"revoke":  func() error { _, err := c.Revoke(t.Context(), 1); return err },
		"renew":   func() error { return c.keepAlive(t.Context(), 1) },
		"probe":   func() error { _, err := c.probe(t.Context()); return err },
	} {
		before := r.calls.Load()
		if err := call(); err == nil || !transient(err) {
			t.Errorf("%s: %v", name, err)
		}
		if n := r.calls.Load() - before; n != 1 {
			t.Errorf("%s was sent %d times", name, n)
		}
	}
}
