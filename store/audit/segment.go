package audit

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/appliance/proof"
)

// begin sees to it that there is a segment to write to: the one at hand, or a new one when it is full, its day is over
// or it has ended. The caller holds writer.
func (j *Journal) begin() error {
	now := j.cfg.Now().UTC()
	if !j.ended && (j.day != now.Format(time.DateOnly) || j.size >= j.cfg.SegmentBytes) {
		if err := j.seal(now); err != nil {
			return err
		}
	}
	if !j.ended {
		return nil
	}
	return j.next(now)
}

// seal signs the segment; it is ended then.
func (j *Journal) seal(now time.Time) error {
	var buf bytes.Buffer
	behind, err := j.at.put(&buf, seal(j.cfg.Identity, now.Truncate(time.Millisecond), j.segment, j.first, j.at))
	if err != nil {
		return err
	}
	if err := j.append(buf.Bytes(), behind); err != nil {
		return err
	}
	j.ended = true
	return j.writeHead()
}

// next begins the segment behind the one that has ended. One that was begun and never completed is overwritten: nothing
// in it was promised to anybody.
func (j *Journal) next(now time.Time) error {
	n := j.segment + 1
	var buf bytes.Buffer
	behind, err := j.at.put(&buf, Record{
		At: now.Truncate(time.Millisecond), Kind: entryOpened, Subject: strconv.FormatUint(n, 10),
		Detail: map[string]string{"previous": j.at.Hash.String(), "public": proof.PublicText(j.cfg.Identity.Public())},
	})
	if err != nil {
		return err
	}
	dir := j.cfg.folder()
	path := filepath.Join(dir, segmentName(n))
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = j.cfg.write(f, buf.Bytes(), 0)
	if err == nil {
		err = errors.Join(folder.Give(path, j.cfg.Dir), j.cfg.sync(f), folder.Sync(dir, j.cfg.sync))
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	if j.file != nil {
		j.file.Close() // everything in it is durable
	}
	j.file, j.segment, j.first, j.at, j.size = f, n, j.at.Seq+1, behind, int64(buf.Len())
	j.day, j.ended, j.suspect = now.Format(time.DateOnly), false, false
	return j.writeHead()
}

// writeHead signs where the journal ends. The slots are written in turn, so that one of them is whole at any time.
func (j *Journal) writeHead() error {
	text, err := signNote(j.cfg.Identity, aboutHead, head{
		Segment: j.segment, Seq: j.at.Seq, Hash: j.at.Hash.String(), Running: j.running,
		Damage: j.harm(j.segment), At: j.cfg.Now().UTC().Truncate(time.Millisecond),
	})
	if err != nil {
		return err
	}
	if len(text) >= slotSize {
		return errors.New("write head: it does not fit")
	}
	slot := bytes.Repeat([]byte(" "), slotSize)
	copy(slot, text)
	slot[slotSize-1] = '\n'
	slots := 1
	if j.headText == nil {
		slots = 2 // what an older run left, torn perhaps, goes
	}
	for range slots {
		if _, err := j.cfg.write(j.head, slot, int64(j.slot)*slotSize); err != nil {
			return err
		}
		j.slot = 1 - j.slot
	}
	j.headText, j.unsynced = text, true
	return nil
}

// syncHead makes the head durable, if it is not.
func (j *Journal) syncHead() error {
	if !j.unsynced || j.head == nil {
		return nil
	}
	if err := j.cfg.sync(j.head); err != nil {
		return err
	}
	j.unsynced = false
	return nil
}
