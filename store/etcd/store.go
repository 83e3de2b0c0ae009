package etcd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/seal"
)

// Config says which cluster keeps the transactions of the branch and for how long.
type Config struct {
	// Endpoints are the members of the cluster, HOST:PORT. All should be named: by them the store knows the majority.
	Endpoints []string
	// Prefix is what every key of the branch begins with, without a slash at its end; "" is bawab.
	Prefix string
	// Dir is the data folder of this kiosk, whose owner may also own the files below; "" is nobody's.
	Dir string
	// KeyFile holds the branch key, 32 bytes, of mode 0600, or 0440 as systemd shows credentials.
	KeyFile string
	// CA, Certificate and CertificateKey are PEM files: who signed the certificates of the members, and what this kiosk
	// shows them. They are read anew for each connection.
	CA, Certificate, CertificateKey string
	// TTL is how long a transaction lives after its last request; 0 is 30 minutes.
	TTL time.Duration
	// MaxAge is how long it lives after its first request at the latest; 0 is appliance.MaxAge.
	MaxAge time.Duration
	// Timeout is how long a call may wait, as for the election of a leader; 0 is 5 seconds.
	Timeout time.Duration
	// Now is the clock; nil is time.Now.
	Now func() time.Time
	// Log gets what has no caller to go to; nil discards it.
	Log *slog.Logger

	// slack is how long a lease outlives the end of the transaction, so that a request in the last moment finds it; 0 is a
	// minute. Tests shorten it.
	slack time.Duration
	// silence is how long a member may be silent before it counts as lost, and a third of what an election may take; 0 is a
	// second. Tests on a busy machine lengthen it.
	silence time.Duration
}

func (c Config) withDefaults() Config {
	if c.Prefix == "" {
		c.Prefix = "bawab"
	}
	if c.MaxAge == 0 {
		c.MaxAge = appliance.MaxAge
	}
	if c.TTL == 0 {
		c.TTL = 30 * time.Minute
	}
	if c.Timeout == 0 {
		c.Timeout = 5 * time.Second
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.slack == 0 {
		c.slack = time.Minute
	}
	if c.silence == 0 {
		c.silence = probeTimeout
	}
	return c
}

// Store is an appliance.TransactionStore on a cluster. Its methods are safe for concurrent use. Calls before Open and after
// Close answer CodeUnavailable.
type Store struct {
	cfg    Config
	queues [turns]chan struct{} // who changes a transaction holds the token of its queue

	life sync.Mutex // guards opening and closing
	stop context.CancelFunc
	work sync.WaitGroup // probes and greetings
	open []*member      // nil while the store is closed

	mu       sync.Mutex
	key      seal.Sealer
	members  []*member
	status   status
	memory   memoryLease
	lastSeen int64 // revision of etcd at the last sweep, up to which the next one compacts
}

var _ appliance.TransactionStore = (*Store)(nil)

// New makes a store; it does no work yet.
func New(cfg Config) *Store {
	s := &Store{cfg: cfg.withDefaults(), status: status{down: errClosed}}
	for i := range s.queues {
		s.queues[i] = make(chan struct{}, 1)
	}
	return s
}

var errClosed = errors.New("the store is closed")

// openWait is how long Open waits for the cluster before it goes on without: a kiosk starts also while its branch is dark.
const openWait = 1500 * time.Millisecond

// Open reads the branch key and the certificates and begins to look after the cluster. A cluster that does not answer is no
// error: calls answer CodeUnavailable until it does. One that answers and was written with another branch key, or by a newer
// bawab, is.
func (s *Store) Open(ctx context.Context) error {
	s.life.Lock()
	defer s.life.Unlock()
	if s.open != nil {
		return errors.New("open branch store: it is open already")
	}
	key, err := s.cfg.branchKey()
	if err != nil {
		return err
	}
	members, err := s.cfg.connect()
	if err != nil {
		return err
	}
	watch, stop := context.WithCancel(context.Background())
	s.mu.Lock()
	s.key, s.members, s.memory, s.status = key, members, memoryLease{}, newStatus()
	settled := s.status.settled
	s.mu.Unlock()
	s.stop, s.open = stop, members
	for _, m := range members {
		s.work.Go(func() { s.watch(watch, m) })
	}
	timer := time.NewTimer(openWait)
	defer timer.Stop()
	select {
	case <-settled:
	case <-timer.C:
		s.cfg.Log.Warn("the cluster of the branch does not answer yet", "endpoints", s.cfg.Endpoints)
	case <-ctx.Done():
		s.close()
		return ctx.Err()
	}
	if err := s.refusal(); err != nil {
		s.close()
		return err
	}
	return nil
}

// Close ends the connections; a second call does nothing.
func (s *Store) Close() error {
	s.life.Lock()
	defer s.life.Unlock()
	s.close()
	return nil
}

// close does it; the caller holds life.
func (s *Store) close() {
	if s.open == nil {
		return
	}
	s.stop()
	s.mu.Lock()
	s.status.fall(errClosed)
	s.members = nil
	s.mu.Unlock()
	s.work.Wait()
	closeAll(s.open)
	s.open = nil
}

// branchKey reads the key that the kiosks of a branch share.
func (c Config) branchKey() (seal.Sealer, error) {
	key, err := seal.ReadKey("branch key", c.KeyFile, seal.LooseConfigured, c.owners())
	if errors.Is(err, fs.ErrNotExist) {
		return seal.Sealer{}, &appliance.Error{
			Code: appliance.CodeUnavailable, Op: "read branch key", Msg: "the branch key is missing",
			Hint: "make it once for the whole branch with `bawab keys branch FILE`, and put a copy (mode 0600) at " + c.KeyFile, Err: err,
		}
	}
	if e := (*appliance.Error)(nil); errors.As(err, &e) {
		return seal.Sealer{}, err
	}
	if err != nil {
		return seal.Sealer{}, &appliance.Error{
			Code: appliance.CodeUnavailable, Op: "read branch key", Msg: "the branch key cannot be read",
			Hint: "check " + c.KeyFile, Err: err,
		}
	}
	return seal.New(key)
}

// owners are who may own the files of a kiosk: the user of this process and root, and where root looks at the appliance of
// another user, that one.
func (c Config) owners() []uint32 {
	if info, err := os.Stat(c.Dir); err == nil {
		return seal.OwnersOf(info)
	}
	return []uint32{uint32(os.Geteuid()), 0}
}

// Run sweeps at once and then at every interval until the context ends, and returns when the sweep under way is done.
// Failures are logged, but for those that Healthy tells anyway.
func (s *Store) Run(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		n, err := s.Sweep(ctx)
		switch {
		case err != nil && ctx.Err() == nil && s.Healthy() == nil:
			s.cfg.Log.Error("sweep of the branch's store failed", "error", err)
		case n > 0:
			s.cfg.Log.Info("expired transactions of the branch erased", "transactions", n)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Keys below the prefix.
func (c Config) checkKey() string          { return c.Prefix + "/check" }
func (c Config) schemaKey() string         { return c.Prefix + "/schema" }
func (s *Store) heads() string             { return s.cfg.Prefix + "/head/" }
func (s *Store) headKey(id seal.ID) string { return s.heads() + id.String() }
func (s *Store) goneKey(id seal.ID) string { return s.cfg.Prefix + "/gone/" + id.String() }
func (s *Store) records(id seal.ID) string { return s.cfg.Prefix + "/record/" + id.String() + "/" }

// schema is the version of the form in which this program keeps transactions.
const schema = "1"

// greet makes or checks the sealed constant and the version of what lies in the cluster.
func (s *Store) greet(ctx context.Context, c *client, key seal.Sealer) error {
	got, err := c.Txn(ctx).If(unchanged(s.cfg.checkKey(), 0)).
		Then(clientv3.OpPut(s.cfg.checkKey(), string(key.Seal(nil, seal.PurposeCheck))), clientv3.OpPut(s.cfg.schemaKey(), schema)).
		Else(s.cfg.greeting()...).Commit()
	if err != nil || got.Succeeded {
		return err
	}
	found, err := answers(got, len(s.cfg.greeting()))
	if err != nil {
		return err
	}
	return s.cfg.recognise(key, valueOf(found[0]), valueOf(found[1]))
}

// greeting asks for the sealed constant and the version.
func (c Config) greeting() []clientv3.Op {
	return []clientv3.Op{clientv3.OpGet(c.checkKey()), clientv3.OpGet(c.schemaKey())}
}

// recognise reports whether a sealed constant and a version that lie in the cluster are those of this kiosk.
func (c Config) recognise(key seal.Sealer, check, version []byte) error {
	if string(version) != schema {
		return &appliance.Error{
			Code: appliance.CodeUnavailable, Op: "open branch store",
			Msg:  fmt.Sprintf("the cluster was written by a newer bawab (schema %q, this one knows %s)", version, schema),
			Hint: "install that version on every kiosk, or use another store.etcd.prefix",
		}
	}
	if _, err := key.Open(check, seal.PurposeCheck); err != nil {
		return &appliance.Error{
			Code: appliance.CodeUnavailable, Op: "open branch store", Msg: "the branch key is not the one that the other kiosks seal with",
			Hint: "copy the branch key of another kiosk to " + c.KeyFile + "; for a new key use a new store.etcd.prefix on every kiosk",
		}
	}
	return nil
}
