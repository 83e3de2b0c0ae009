package audit

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/appliance/proof"
)

// ending is how a segment ends.
type ending struct {
	begun  bool // its first entry is sound
	sealed bool
	public string // of the identity that began it
	first  uint64
	at     position // behind its last sound entry in a row
	size   int      // up to there
	last   time.Time
	day    string
	// named is the hash of the entry that the head names, where it is among them.
	named digest
}

// scan follows a segment up to where it stops making sense. It believes the segment's own word on what came before.
func scan(content []byte, named uint64) (e ending) {
	for i, l := range split(content) {
		if i == 0 {
			previous, ok := parseDigest(l.record.Detail["previous"])
			if !l.sound || l.record.Kind != entryOpened || !ok {
				return e
			}
			e.at = position{l.record.Seq - 1, previous}
		}
		if !l.follows(e.at) {
			return e
		}
		if i == 0 {
			e.begun, e.first, e.public, e.day = true, l.record.Seq, l.record.Detail["public"], l.record.At.Format(time.DateOnly)
		}
		e.at, e.size, e.last = l.position(), l.end, l.record.At
		if e.at.Seq == named {
			e.named = e.at.Hash
		}
		if e.sealed = l.record.Kind == entrySealed; e.sealed {
			return e
		}
	}
	return e
}

// recover finds the end of the journal. The caller holds writer.
func (j *Journal) recover(ctx context.Context) error {
	dir, keys := j.cfg.folder(), []ed25519.PublicKey{j.cfg.Identity.Public()}
	gone, err := readPruned(dir, keys)
	if err != nil {
		j.damaged("record_of_pruning", 0)
	}
	if err := removeUpTo(dir, gone.Through); err != nil {
		return err
	}
	list, err := segments(dir)
	if err != nil {
		return err
	}
	top, err := j.knownHead(ctx, dir, keys, len(list) > 0)
	if err != nil {
		return err
	}
	j.running = top.Running
	if top.Damage != nil && top.Damage.Segment > gone.Through {
		j.remember(top.Damage)
	}
	if j.head, err = os.OpenFile(filepath.Join(dir, headName), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return err
	}
	if err := folder.Give(j.head.Name(), j.cfg.Dir); err != nil {
		return err
	}
	j.ended, j.segment, j.at = true, gone.Through, gone.position()
	for len(list) > 0 {
		n := list[len(list)-1]
		content, err := readSegment(dir, n)
		if err != nil {
			return err
		}
		e := scan(content, top.Seq)
		if !e.begun && top.Segment < n {
			list = list[:len(list)-1] // a segment that a crash kept from beginning
			continue
		}
		return j.resume(n, e, len(content), top)
	}
	if top.Seq > j.at.Seq {
		j.damaged("segments_missing", top.Segment)
		j.segment, j.at = top.Segment, top.position()
	}
	return nil
}

// remember takes over what an earlier run found, where this one has found nothing itself.
func (j *Journal) remember(found *damage) {
	j.healthMu.Lock()
	defer j.healthMu.Unlock()
	if j.damage == nil {
		j.damage = found
	}
}

// knownHead returns the newest head that the folder or the anchor has. A database that has kept none is new, and so is its key: what another one signed
// is no damage.
func (j *Journal) knownHead(ctx context.Context, dir string, keys []ed25519.PublicKey, some bool) (top head, err error) {
	found, bad, err := heads(dir, keys)
	if err != nil {
		return top, err
	}
	if len(found) > 0 {
		top = found[0]
	}
	var text []byte
	if j.cfg.Anchor != nil {
		if text, err = j.cfg.Anchor.JournalHead(ctx); err != nil {
			return top, fmt.Errorf("read the kept head: %w", err)
		}
	}
	fresh := j.cfg.Anchor != nil && text == nil && bad > 0
	if len(found) == 0 && (some || bad > 0) && !fresh {
		j.damaged("head", 0)
	}
	var kept head
	if text != nil && openNote(keys, aboutHead, text, &kept) == nil && kept.Seq > top.Seq {
		j.damaged("head_older_than_kept", kept.Segment)
		top = kept
	}
	j.anchored = kept.Seq
	return top, nil
}

// resume goes on behind the last segment n, of which length bytes lie on disk.
func (j *Journal) resume(n uint64, e ending, length int, top head) error {
	missing := e.at.Seq < top.Seq
	rewritten := !missing && e.first <= top.Seq && e.named != top.position().Hash
	if !e.begun || missing || rewritten {
		what := "entries_missing"
		if rewritten {
			what = "entries_rewritten"
		}
		j.damaged(what, n)
		j.segment, j.at = max(n, top.Segment), top.position()
		if top.Seq < e.at.Seq {
			j.at = e.at
		}
		return nil
	}
	j.segment, j.first, j.at, j.size, j.day = n, e.first, e.at, int64(e.size), e.day
	if now := j.cfg.Now(); now.Before(e.last.Add(-jump)) {
		j.own = append(j.own, clockEntry(now, now.Sub(e.last)))
	}
	if torn := length - e.size; torn > 0 && e.sealed {
		j.damaged("bytes_behind_seal", n)
		return nil
	} else if torn > 0 {
		j.own = append(j.own, appliance.Entry{
			At: j.cfg.Now(), Kind: entryRecovered, Subject: strconv.FormatUint(n, 10),
			Detail: map[string]string{"cut_bytes": strconv.Itoa(torn)},
		})
		j.cfg.Log.Warn("the journal ended in the middle of an entry, which was cut", "segment", n, "bytes", torn)
	}
	if e.sealed {
		return nil
	}
	return j.adopt(e, int64(length))
}

// adopt opens the last segment for writing and cuts it behind its last entry.
func (j *Journal) adopt(e ending, length int64) error {
	f, err := os.OpenFile(filepath.Join(j.cfg.folder(), segmentName(j.segment)), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if length > j.size {
		if err := errors.Join(f.Truncate(j.size), j.cfg.sync(f)); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	j.file, j.ended = f, false
	if e.public != proof.PublicText(j.cfg.Identity.Public()) {
		j.day = "" // a segment of another identity is not gone on with
	}
	return nil
}
