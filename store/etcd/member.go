package etcd

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
)

const (
	// probeEvery is how often each member is asked how it is, and probeTimeout how long it may take: a cut cable shows only
	// by silence. On a busy machine an answer takes a tenth of that.
	probeEvery   = 250 * time.Millisecond
	probeTimeout = time.Second
	// elections is how long a majority may be without a leader before calls are no longer kept waiting, in times of a member's
	// silence. An election takes one to two seconds with the usual settings of etcd.
	elections = 3
)

// member is one member of the cluster as this kiosk sees it.
type member struct {
	endpoint string
	silence  time.Duration
	client   *client

	mu     sync.Mutex
	answer *pb.StatusResponse // of the last probe; nil when it failed or none was made
	err    error              // why the last probe failed
	// well ends when a probe fails, so that calls on a member that went silent are made on another one.
	well context.Context
	fail context.CancelCauseFunc
}

var errNotAsked = errors.New("not asked yet")

func newMember(endpoint string, silence time.Duration, client *client) *member {
	m := &member{endpoint: endpoint, silence: silence, client: client, err: errNotAsked}
	m.well, m.fail = context.WithCancelCause(context.Background())
	m.fail(errNotAsked)
	return m
}

// probe asks the member how it is.
func (m *member) probe(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, m.silence)
	defer cancel()
	answer, err := m.client.probe(ctx)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answer, m.err = answer, err
	switch {
	case err != nil:
		m.answer = nil
		m.fail(fmt.Errorf("%s does not answer: %w", m.endpoint, err))
	case m.well.Err() != nil:
		m.well, m.fail = context.WithCancelCause(context.Background())
	}
}

// last returns what the last probe found: the answer, or why there is none.
func (m *member) last() (*pb.StatusResponse, context.Context, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.answer, m.well, m.err
}

// status is what the store knows about the cluster as a whole; the store's mu guards it.
type status struct {
	// down says why calls fail; nil while they do not.
	down error
	// up ends when the cluster falls, with the reason as its cause, and calls under way with it.
	up   context.Context
	fell context.CancelCauseFunc
	// leaderless is since when a majority has had no leader; zero while it has one.
	leaderless time.Time
	// greeted tells that the branch key was found right, refused why it was not; greeting that this is being found out.
	greeted, greeting bool
	refused           error
	// full is the alarm of a member whose quota is used up; nil without one.
	full error
	// settled is closed once it is known whether calls will succeed, as far as the members answer at all.
	settled chan struct{}
}

var errNotReached = errors.New("the cluster was not reached yet")

func newStatus() status {
	st := status{down: errNotReached, settled: make(chan struct{})}
	st.up, st.fell = context.WithCancelCause(context.Background())
	st.fell(errNotReached)
	return st
}

// fall makes calls fail from now on.
func (st *status) fall(why error) {
	st.down = why
	if st.fell != nil {
		st.fell(why)
	}
}

// rise lets calls through again.
func (st *status) rise() {
	if st.down == nil {
		return
	}
	st.down = nil
	st.up, st.fell = context.WithCancelCause(context.Background())
	st.settle()
}

func (st *status) settle() {
	select {
	case <-st.settled:
	default:
		close(st.settled)
	}
}

// watch probes one member until the context ends.
func (s *Store) watch(ctx context.Context, m *member) {
	tick := time.NewTicker(probeEvery)
	defer tick.Stop()
	for {
		m.probe(ctx)
		if ctx.Err() != nil {
			return
		}
		s.judge(ctx, time.Now())
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// judge decides by the last answers of all members whether calls can succeed.
func (s *Store) judge(ctx context.Context, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.members == nil {
		return
	}
	answering, led, asked := 0, 0, 0
	var alarm error
	var last error
	for _, m := range s.members {
		answer, _, err := m.last()
		if !errors.Is(err, errNotAsked) {
			asked++
		}
		if err != nil {
			last = fmt.Errorf("%s: %w", m.endpoint, err)
			continue
		}
		answering++
		if answer.Leader != 0 {
			led++
		}
		alarm = errors.Join(alarm, alarmOf(answer))
	}
	st, need := &s.status, len(s.members)/2+1
	st.full = alarm
	if led > 0 {
		st.leaderless = time.Time{}
	} else if st.leaderless.IsZero() {
		st.leaderless = now
	}
	switch {
	case answering < need:
		if asked == len(s.members) || st.down == nil {
			s.fall(fmt.Errorf("%d of %d members of the cluster answer, %d are needed: %w", answering, len(s.members), need, last))
		}
	case led == 0 && now.Sub(st.leaderless) > elections*s.cfg.silence:
		s.fall(errors.New("the cluster has no leader: too few of its members reach each other"))
	case led == 0:
	case st.greeted:
		if st.down != nil {
			s.cfg.Log.Info("the cluster of the branch answers")
		}
		st.rise()
	case !st.greeting && st.refused == nil:
		st.greeting = true
		s.work.Go(func() { s.introduce(ctx) })
	}
}

// fall is status.fall with a line in the log where that is news; the caller holds mu.
func (s *Store) fall(why error) {
	if s.status.down == nil {
		s.cfg.Log.Error("the cluster of the branch is lost", "error", why)
	}
	s.status.fall(why)
	s.status.settle()
}

// introduce compares the branch key with what the cluster holds, on any member that answers.
func (s *Store) introduce(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	s.mu.Lock()
	key, members := s.key, s.members
	s.mu.Unlock()
	err := errNotReached
	for _, m := range members {
		if _, _, unwell := m.last(); unwell != nil {
			continue
		}
		if err = s.greet(ctx, m.client, key); err == nil || !transient(err) {
			break
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	st := &s.status
	st.greeting = false
	switch {
	case s.members == nil: // closed meanwhile
	case err == nil:
		st.greeted = true
		s.cfg.Log.Info("the cluster of the branch answers")
		st.rise()
	case transient(err): // the next probe tries again
		st.fall(fmt.Errorf("%w: %w", errNotReached, err))
	default:
		st.refused = err
		s.fall(err)
		s.cfg.Log.Error("the cluster of the branch cannot be used", "error", err)
	}
}

// refusal returns why the cluster must not be used, nil where nothing speaks against it.
func (s *Store) refusal() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status.refused
}

// Healthy returns why transactions cannot be kept now; nil when they can.
func (s *Store) Healthy() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.status.down != nil {
		return s.status.down
	}
	return s.status.full
}

// Lost names the members that do not answer while the cluster goes on without them.
func (s *Store) Lost() []string {
	s.mu.Lock()
	members := s.members
	s.mu.Unlock()
	var lost []string
	for _, m := range members {
		if _, _, err := m.last(); err != nil {
			lost = append(lost, m.endpoint)
		}
	}
	return lost
}
