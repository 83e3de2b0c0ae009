package etcd

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	grpcstatus "google.golang.org/grpc/status"
)

const (
	// dialTimeout bounds connecting, TLS included. A member that cannot be reached is dialled again after dialPause at first
	// and dialPauseMax at last; gRPC itself would wait up to two minutes.
	dialTimeout  = time.Second
	dialPause    = 100 * time.Millisecond
	dialPauseMax = time.Second
	// pingEvery is how long a connection may say nothing before it is tried, and pingTimeout how long it then has. Members
	// refuse more than one ping in five seconds.
	pingEvery   = 10 * time.Second
	pingTimeout = 3 * time.Second
	// maxAnswer is the longest message that is read. Pages of keys and single transactions are far smaller.
	maxAnswer = 256 << 20
)

// client is etcd's own client, bound to one member. A call goes to that member, once: whether one whose answer got lost was
// carried out, and what then is to be done, is for the store to find out. So nothing of it may repeat a call by itself, as
// its KeepAliveOnce does, or open a connection for each, as its Status does; use keepAlive and probe in their place.
type client struct {
	*clientv3.Client
	leases      pb.LeaseClient
	maintenance pb.MaintenanceClient
}

// newClient makes a client of the member at HOST:PORT. It connects with the first call, and anew whenever the connection is
// lost.
func newClient(endpoint string, secure *tls.Config) (*client, error) {
	c, err := clientv3.New(clientv3.Config{
		Endpoints: []string{"https://" + endpoint}, TLS: secure, Logger: zap.NewNop(),
		DialKeepAliveTime: pingEvery, DialKeepAliveTimeout: pingTimeout,
		MaxCallRecvMsgSize: maxAnswer,
		MaxUnaryRetries:    1, // counts the first try: with 0 there are a hundred
		DialOptions: []grpc.DialOption{
			grpc.WithNoProxy(), grpc.WithDisableRetry(),
			grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
				return (&net.Dialer{Timeout: dialTimeout}).DialContext(ctx, "tcp", endpoint)
			}),
			grpc.WithConnectParams(grpc.ConnectParams{
				Backoff:           backoff.Config{BaseDelay: dialPause, Multiplier: 2, Jitter: .2, MaxDelay: dialPauseMax},
				MinConnectTimeout: dialTimeout,
			}),
		},
	})
	if err != nil {
		return nil, err
	}
	conn := c.ActiveConnection()
	return &client{c, pb.NewLeaseClient(conn), pb.NewMaintenanceClient(conn)}, nil
}

// keepAlive lets a lease begin anew. It is ErrLeaseNotFound where that has run out.
func (c *client) keepAlive(ctx context.Context, lease clientv3.LeaseID) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the stream
	stream, err := c.leases.LeaseKeepAlive(ctx)
	if err != nil {
		return rpctypes.Error(err)
	}
	if err := stream.Send(&pb.LeaseKeepAliveRequest{ID: int64(lease)}); err != nil {
		return rpctypes.Error(err)
	}
	kept, err := stream.Recv()
	if err == nil && kept.TTL <= 0 {
		return rpctypes.ErrLeaseNotFound
	}
	return rpctypes.Error(err)
}

// probe asks the member how it is.
func (c *client) probe(ctx context.Context) (*pb.StatusResponse, error) {
	answer, err := c.maintenance.Status(ctx, &pb.StatusRequest{})
	if s, ok := grpcstatus.FromError(err); err != nil && ok {
		return nil, errors.New(s.Message()) // without the words that gRPC puts before it
	}
	return answer, err
}

// read carries out the given steps, all of which ask for keys, at one revision, and returns what each found.
func (c *client) read(ctx context.Context, steps ...clientv3.Op) ([][]*mvccpb.KeyValue, int64, error) {
	got, err := c.Txn(ctx).Then(steps...).Commit()
	if err != nil {
		return nil, 0, err
	}
	kvs, err := answers(got, len(steps))
	return kvs, got.Header.GetRevision(), err
}

// unchanged holds while a key was last changed in the given revision; 0 is that there is no such key.
func unchanged(key string, revision int64) clientv3.Cmp {
	return clientv3.Compare(clientv3.ModRevision(key), "=", revision)
}

// answers are what the steps of a transaction found, if all of them asked for keys.
func answers(got *clientv3.TxnResponse, steps int) ([][]*mvccpb.KeyValue, error) {
	if len(got.Responses) != steps {
		return nil, fmt.Errorf("%d steps of a transaction are answered with %d", steps, len(got.Responses))
	}
	var kvs [][]*mvccpb.KeyValue
	for _, r := range got.Responses {
		kvs = append(kvs, r.GetResponseRange().GetKvs())
	}
	return kvs, nil
}

// codeOf is how gRPC classes the end of a call.
func codeOf(err error) codes.Code {
	if e := (rpctypes.EtcdError{}); errors.As(err, &e) {
		return e.Code()
	}
	return grpcstatus.Code(err)
}
