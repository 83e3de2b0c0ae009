package etcd

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"google.golang.org/grpc/codes"

	"github.com/bawab/bawab/appliance"
)

const (
	// attemptTimeout bounds one attempt of a call on one member; what a slow one did is looked for by the next.
	attemptTimeout = 2 * time.Second
	// retryPause is between two attempts.
	retryPause = 30 * time.Millisecond
	// conflictPause is the longest time before a change is tried again that another one came before.
	conflictPause = 10 * time.Millisecond
)

// errConflict: somebody else changed the transaction between reading and writing.
var errConflict = errors.New("the transaction was changed meanwhile")

// call runs one piece of work on the cluster, again on another member while the reason for its failure can pass. The work
// must be such that doing it again after an unknown outcome does no harm. Its error is an appliance.Error or that of the
// caller's context.
func (s *Store) call(ctx context.Context, op string, work func(context.Context, *client) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	whole, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	var last error
	for try := 0; ; try++ {
		m, up, err := s.pick(try)
		if err != nil {
			return unavailable(op, errors.Join(err, last))
		}
		if m != nil {
			if last = attempt(whole, up, m, work); last == nil || !transient(last) {
				return answer(op, last)
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		pause := retryPause
		if errors.Is(last, errConflict) {
			pause = rand.N(conflictPause) // so that those who met do not meet again
		}
		select {
		case <-whole.Done():
			if err := ctx.Err(); err != nil {
				return err
			}
			return unavailable(op, errors.Join(whole.Err(), last))
		case <-up.Done():
		case <-time.After(pause):
		}
	}
}

// pick returns the member for an attempt: the leader first, then the others in turn. No member stands for an election under
// way; up ends when the cluster falls.
func (s *Store) pick(try int) (m *member, up context.Context, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.status.down != nil {
		return nil, nil, s.status.down
	}
	var well []*member
	for _, m := range s.members {
		answer, _, err := m.last()
		if err != nil || answer.Leader == 0 {
			continue
		}
		if answer.Header.GetMemberId() == answer.Leader {
			well = append([]*member{m}, well...)
			continue
		}
		well = append(well, m)
	}
	if len(well) == 0 {
		return nil, s.status.up, nil
	}
	return well[try%len(well)], s.status.up, nil
}

// attempt runs the work on one member, until that member or the whole cluster is lost.
func attempt(ctx, up context.Context, m *member, work func(context.Context, *client) error) error {
	ctx, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	_, well, err := m.last()
	if err != nil {
		return fmt.Errorf("%w: %w", errLost, err)
	}
	defer context.AfterFunc(well, cancel)()
	defer context.AfterFunc(up, cancel)()
	if err := work(ctx, m.client); err != nil {
		return err
	}
	return nil
}

// errLost: the member was lost before it was asked.
var errLost = errors.New("the member is lost")

// transient reports whether a failure can pass by itself, or on another member.
func transient(err error) bool {
	if e := (*appliance.Error)(nil); errors.As(err, &e) {
		return false
	}
	if errors.Is(err, errConflict) || errors.Is(err, errLost) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return true
	}
	if errors.Is(err, rpctypes.ErrTooManyRequests) {
		return true
	}
	switch codeOf(err) {
	// So a member passes on that its own wait for another one ended, and so count errors that are not gRPC's: Unknown.
	case codes.Unavailable, codes.DeadlineExceeded, codes.Canceled, codes.Aborted, codes.Unknown:
		return true
	}
	return false
}

// answer makes the error of a call that is not tried again.
func answer(op string, err error) error {
	if e := (*appliance.Error)(nil); err == nil || errors.As(err, &e) {
		return err
	}
	return unavailable(op, err)
}

const hintDoctor = "`bawab doctor` shows the members of the cluster"

// unavailable is the answer to a caller whose call could not be carried out now.
func unavailable(op string, err error) error {
	e := &appliance.Error{Code: appliance.CodeUnavailable, Op: op, Msg: "the store of the branch is not available now: try again later", Hint: hintDoctor, Err: err}
	if errors.Is(err, rpctypes.ErrNoSpace) {
		e.Msg, e.Hint = "the disk of the cluster is full: try again later", hintQuota
	}
	return e
}

const hintQuota = "free room on the members: `etcdctl defrag`, a larger --quota-backend-bytes, then `etcdctl alarm disarm`"

// alarmOf is the alarm that a member gives: its quota is used up, or its data is corrupt.
func alarmOf(a *pb.StatusResponse) error {
	for _, e := range a.Errors {
		if strings.Contains(e, "NOSPACE") {
			return errors.New("the quota of the cluster is used up: it takes no new records")
		}
		if strings.Contains(e, "CORRUPT") {
			return errors.New("a member of the cluster has corrupt data")
		}
	}
	return nil
}

// valueOf is the value of one key that was asked for; nil where the key is missing.
func valueOf(kvs []*mvccpb.KeyValue) []byte {
	if len(kvs) > 0 {
		return kvs[0].Value
	}
	return nil
}
