package audit

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
)

// threeSegments is a closed journal of three segments: two sealed ones and one that is open.
func threeSegments(t *testing.T) *bench {
	b := newBench(t)
	b.sync = unsynced
	j := b.open()
	for day := range 3 {
		if day > 0 {
			b.now = b.now.Add(24 * time.Hour)
		}
		b.note(j, 3)
	}
	b.must(j.Close())
	b.sound()
	return b
}

// A flipped bit, wherever it is, is named by its segment and entry, and nothing else is blamed before it.
func TestFlippedBit(t *testing.T) {
	b := threeSegments(t)
	for n := uint64(1); n <= 3; n++ {
		content := b.read(b.path(n))
		lines := split(content)
		for i, l := range lines {
			step := 3 + i%3
			if i+1 == len(lines) {
				step = 1 // no line after it helps to tell what was changed
			}
			for at := l.offset; at < l.end; at += step {
				bit := byte(1) << (at % 7)
				spoilt := bytes.Clone(content)
				spoilt[at] ^= bit
				b.write1(b.path(n), spoilt)
				r, err := Verify(t.Context(), b.check())
				b.must(err)
				seq := l.record.Seq
				// A line break that is none any more makes one damaged entry of two.
				if len(r.Problems) == 0 || r.Problems[0].Segment != n || r.Problems[0].Entry != seq {
					t.Fatalf("segment %d, line %d (entry %d), byte %d ^ %#x: %v", n, i, seq, at-l.offset, bit, r.Problems)
				}
				for _, p := range r.Problems[1:] {
					if p.Segment != n && p.Segment != 0 || p.Entry != 0 && p.Entry != seq && p.Entry != seq+1 {
						t.Fatalf("segment %d, entry %d, byte %d ^ %#x: blames %v too", n, seq, at-l.offset, bit, r.Problems)
					}
				}
			}
		}
		b.write1(b.path(n), content)
	}
}

// Everything that can be done to the files without the identity is named for what it is.
func TestTampering(t *testing.T) {
	cut := func(b *bench, n uint64, lines int) {
		content := b.read(b.path(n))
		found := split(content)
		b.write1(b.path(n), content[:found[len(found)-lines].offset])
	}
	swapLines := func(b *bench, n uint64, i, k int) {
		content := b.read(b.path(n))
		lines := bytes.SplitAfter(content, []byte("\n"))
		lines[i], lines[k] = lines[k], lines[i]
		b.write1(b.path(n), bytes.Join(lines, nil))
	}
	head := func(b *bench) string { return filepath.Join(Folder(b.dir), headName) }
	for name, tt := range map[string]struct {
		do   func(b *bench)
		want []string
	}{
		"cut tail": {
			func(b *bench) { cut(b, 3, 2) },
			[]string{"segment 3: the end is missing: the signed head names entry 14, the journal ends with entry 12"},
		},
		"cut in an entry": {func(b *bench) {
			content := b.read(b.path(3))
			b.write1(b.path(3), content[:len(content)-5])
		}, []string{
			"segment 3, entry 14: damaged, at the end of the segment",
			"segment 3: the end is missing: the signed head names entry 14, the journal ends with entry 13",
		}},
		"cut tail of a sealed one": {
			func(b *bench) { cut(b, 2, 2) },
			[]string{"segment 2: it has no seal", "segment 2: its end is missing: segment 3 goes on from entry 10, and it ends with entry 8"},
		},
		"removed segment":       {func(b *bench) { b.must(os.Remove(b.path(2))) }, []string{"segment 2: is missing"}},
		"removed first segment": {func(b *bench) { b.must(os.Remove(b.path(1))) }, []string{"segment 1: is missing"}},
		"removed last segment":  {func(b *bench) { b.must(os.Remove(b.path(3))) }, []string{"segment 3: is missing"}},
		"removed all": {func(b *bench) {
			for n := uint64(1); n <= 3; n++ {
				b.must(os.Remove(b.path(n)))
			}
		}, []string{"segment 1: and those up to segment 3 are missing"}},
		"exchanged segments": {func(b *bench) {
			b.must(os.Rename(b.path(1), b.path(9)))
			b.must(os.Rename(b.path(2), b.path(1)))
			b.must(os.Rename(b.path(9), b.path(2)))
		}, []string{
			"segment 1: the file holds segment 2: files were renamed or exchanged",
			"segment 2: the file holds segment 1: files were renamed or exchanged",
		}},
		"removed entry": {func(b *bench) {
			lines := bytes.SplitAfter(b.read(b.path(2)), []byte("\n"))
			b.write1(b.path(2), bytes.Join(append(lines[:2:2], lines[3:]...), nil))
		}, []string{"segment 2, entry 8: missing"}},
		"re-ordered entries": {
			func(b *bench) { swapLines(b, 2, 1, 2) },
			[]string{"segment 2, entry 7: missing", "segment 2, entry 7: it stands where entry 9 belongs"},
		},
		"an entry twice": {func(b *bench) {
			lines := bytes.SplitAfter(b.read(b.path(2)), []byte("\n"))
			b.write1(b.path(2), bytes.Join(append(lines[:2:2], lines[1:]...), nil))
		}, []string{"segment 2, entry 7: it stands where entry 8 belongs"}},
		"removed head": {func(b *bench) { b.must(os.Remove(head(b))) }, []string{"the head is missing"}},
		"head of another appliance": {func(b *bench) {
			other := newBench(b.T)
			other.id = identity(b.T, 2)
			other.note(other.open(), 9)
			b.write1(head(b), other.read(filepath.Join(Folder(other.dir), headName)))
		}, []string{"the head is damaged or not signed by this appliance: it was replaced, or the key is another one"}},
		"older head": {func(b *bench) {
			older := b.read(head(b))
			b.note(b.open(), 2)
			b.write1(head(b), older)
		}, []string{"segment 3: 2 entries follow entry 14, which the signed head names as the last: the daemon did not stop in order, or an older head was put in its place"}},
		"a slot of the head": {func(b *bench) {
			content := b.read(head(b))
			content[20] ^= 1
			b.write1(head(b), content)
		}, []string{
			"one of the two slots of the head is damaged or not signed by this appliance",
			"segment 3: 1 entries follow entry 13, which the signed head names as the last: the daemon did not stop in order, or an older head was put in its place",
		}},
		"another appliance's journal": {func(b *bench) {
			b.must(os.RemoveAll(Folder(b.dir)))
			id := b.id
			b.id = identity(b.T, 2)
			b.note(b.open(), 1)
			b.id = id
		}, []string{"the head is damaged or not signed by this appliance: it was replaced, or the key is another one"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := threeSegments(t)
			tt.do(b)
			got := b.problems()
			if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// Somebody without the identity who writes a segment anew, with all hashes right, is given away by its seal or the head.
func TestRewritten(t *testing.T) {
	forge := func(b *bench, n uint64) {
		var buf bytes.Buffer
		lines := split(b.read(b.path(n)))
		at := position{Seq: lines[0].record.Seq - 1}
		at.Hash, _ = parseDigest(lines[0].record.Detail["previous"])
		for _, l := range lines {
			if l.record.Detail["code"] != "" {
				l.record.Detail["code"] = "4209"
			}
			var err error
			at, err = at.put(&buf, l.record)
			b.must(err)
		}
		b.write1(b.path(n), buf.Bytes())
	}
	b := threeSegments(t)
	forge(b, 2)
	want := "segment 2, entry 10: the seal was not made by this appliance for what the segment holds"
	if got := b.problems(); len(got) == 0 || got[0] != want {
		t.Errorf("a forged sealed segment: %q", got)
	}
	b = threeSegments(t)
	forge(b, 3)
	want = "segment 3, entry 14: is not the one that the signed head names: the journal was rewritten, or the head replaced"
	if got := b.problems(); len(got) != 1 || got[0] != want {
		t.Errorf("a forged open segment: %q", got)
	}
}

// kept is an anchor in memory.
type kept struct{ text []byte }

func (k *kept) JournalHead(context.Context) ([]byte, error) { return k.text, nil }
func (k *kept) KeepJournalHead(_ context.Context, text []byte) error {
	k.text = bytes.Clone(text)
	return nil
}

// A folder that was put back as it once was, or removed, is found out by the head that the database keeps, by the
// verification and by the next start, which goes on from there.
func TestAnchor(t *testing.T) {
	for name, spoil := range map[string]func(b *bench, old, oldHead []byte){
		"put back": func(b *bench, old, oldHead []byte) {
			b.write1(b.path(1), old)
			b.write1(filepath.Join(Folder(b.dir), headName), oldHead)
		},
		"removed": func(b *bench, _, _ []byte) { b.must(os.RemoveAll(Folder(b.dir))) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			anchor := &kept{}
			b.anchor = anchor
			j := b.open()
			b.note(j, 2)
			old, oldHead := b.read(b.path(1)), b.read(filepath.Join(Folder(b.dir), headName))
			b.note(j, 2)
			b.must(j.Keep(t.Context()))
			b.must(j.Close())
			spoil(b, old, oldHead)
			c := b.check()
			c.Kept = anchor.text
			r, err := Verify(t.Context(), c)
			b.must(err)
			if r.OK() {
				t.Error("the verification found nothing")
			}
			j = b.open()
			if j.Damage() == "" {
				t.Error("the start found nothing")
			}
			b.note(j, 1)
			records := b.records()
			if last := records[len(records)-1]; last.Seq < 6 {
				t.Errorf("the journal went on with entry %d", last.Seq)
			}
			if !strings.Contains(strings.Join(b.kinds(), " "), "journal.damaged") {
				t.Errorf("the damage is no entry: %q", b.kinds())
			}
			if p := b.problems(); len(p) == 0 {
				t.Error("after the next start nothing is wrong any more")
			}
		})
	}
}

// A line that an earlier verification printed is a witness: even who has the identity cannot change what came before it.
func TestWitness(t *testing.T) {
	b := threeSegments(t)
	r, err := Verify(t.Context(), b.check())
	b.must(err)
	known, err := ParseMark(r.Last.String())
	b.must(err)
	b.note(b.open(), 3)
	c := b.check()
	c.Known = known
	if r, err := Verify(t.Context(), c); err != nil || !r.OK() {
		t.Errorf("an honest journal: %v, %v", r.Problems, err)
	}
	b.must(os.RemoveAll(Folder(b.dir)))
	b.note(b.open(), 20)
	b.sound() // written with the identity, it is in itself without fault
	if r, err := Verify(t.Context(), c); err != nil || r.OK() {
		t.Errorf("a journal written anew passes: %+v, %v", r, err)
	}
	for _, bad := range []string{"", "1", "1:ff", "0:" + strings.Repeat("a", 64), "x:" + strings.Repeat("a", 64)} {
		if _, err := ParseMark(bad); err == nil {
			t.Errorf("%q passed for a mark", bad)
		}
	}
}

// A start on a damaged journal leaves it as it is for the auditor, goes on behind it, and says so, as every later start does while the place is kept.
func TestStartOnDamage(t *testing.T) {
	for name, spoil := range map[string]func(b *bench) []byte{
		"flipped bit": func(b *bench) []byte {
			content := b.read(b.path(3))
			content[split(content)[2].offset+70] ^= 1
			return content
		},
		"cut tail": func(b *bench) []byte {
			content := b.read(b.path(3))
			return content[:split(content)[2].offset]
		},
		"forged": func(b *bench) []byte {
			content := b.read(b.path(3))
			lines := split(content)
			var buf bytes.Buffer
			buf.Write(content[:lines[3].offset])
			r := lines[3].record
			r.Detail["code"] = "4209"
			_, err := lines[2].position().put(&buf, r)
			b.must(err)
			return buf.Bytes()
		},
		"empty": func(*bench) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			b := threeSegments(t)
			spoilt := spoil(b)
			b.write1(b.path(3), spoilt)
			before := b.problems()
			j := b.open()
			b.note(j, 1)
			b.must(j.Close())
			if !bytes.Equal(b.read(b.path(3)), spoilt) {
				t.Error("the damaged segment was changed")
			}
			if j.Damage() == "" || !strings.Contains(strings.Join(b.kinds(), " "), "journal.damaged decision") {
				t.Errorf("damage %q, entries %q", j.Damage(), b.kinds())
			}
			after := b.problems()
			if len(before) == 0 || len(after) == 0 || !strings.HasPrefix(after[0], "segment 3") {
				t.Errorf("problems before the start %q and after it %q", before, after)
			}
			next := b.open()
			b.note(next, 1)
			if again := b.problems(); strings.Join(again, "\n") != strings.Join(after, "\n") {
				t.Errorf("one more start makes of %q %q", after, again)
			}
			if next.Damage() != j.Damage() {
				t.Errorf("one more start makes of damage %q %q", j.Damage(), next.Damage())
			}
			b.now = b.now.Add(24 * time.Hour)
			b.note(next, 1) // in a segment of its own
			b.now = b.now.Add(400 * 24 * time.Hour)
			b.note(next, 1)
			b.must(next.prune(t.Context(), true))
			b.must(next.Close())
			if last := b.open(); (last.Damage() == "") != (b.problems() == nil) {
				t.Errorf("damage %q and problems %q when old segments are deleted", last.Damage(), b.problems())
			}
		})
	}
}

// A database that got a new identity goes on with the journal in a segment of its own.
func TestOtherIdentity(t *testing.T) {
	b := threeSegments(t)
	first := b.id.Public()
	b.id = identity(t, 2)
	b.anchor = &kept{}
	j := b.open()
	if j.Damage() != "" {
		t.Errorf("damage %q", j.Damage())
	}
	b.note(j, 1)
	b.anchor = nil
	c := b.check()
	c.Public = append(c.Public, first)
	r, err := Verify(t.Context(), c)
	b.must(err)
	if !r.OK() || r.Segments != 4 {
		t.Errorf("with both keys: %+v", r)
	}
	c.Public = []ed25519.PublicKey{b.id.Public()}
	if r, err := Verify(t.Context(), c); err != nil || r.OK() {
		t.Errorf("with the new key alone: %+v, %v", r, err)
	}
}

// A segment that is taken away under a running daemon does not swallow what follows.
func TestChangedWhileOpen(t *testing.T) {
	for name, spoil := range map[string]func(b *bench){
		"removed": func(b *bench) { b.must(os.Remove(b.path(1))) },
		"longer": func(b *bench) {
			f, err := os.OpenFile(b.path(1), os.O_APPEND|os.O_WRONLY, 0)
			b.must(err)
			fmt.Fprintln(f, "one more")
			b.must(f.Close())
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			j := b.open()
			b.note(j, 2)
			spoil(b)
			b.note(j, 2)
			b.must(j.Close())
			kinds := strings.Join(b.kinds(), " ")
			if !strings.HasSuffix(kinds, "journal.opened journal.damaged decision decision") || len(b.problems()) == 0 {
				t.Errorf("entries %q, problems %q", kinds, b.problems())
			}
		})
	}
}

// What a verification reads may be anything: it never crashes, and never passes what was changed.
func FuzzVerify(f *testing.F) {
	dir := f.TempDir()
	id := identity(f, 1)
	j := New(Config{Dir: dir, Identity: id, Now: func() time.Time { return time.Unix(1e9, 0) }})
	if err := j.Open(f.Context()); err != nil {
		f.Fatal(err)
	}
	for range 3 {
		if err := j.Note(f.Context(), appliance.Entry{Kind: appliance.EntryStart}); err != nil {
			f.Fatal(err)
		}
	}
	j.Close()
	path := filepath.Join(Folder(dir), segmentName(1))
	content, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content)
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte("\n"), 9))
	f.Add(append(bytes.Clone(content), content...))
	f.Fuzz(func(t *testing.T, spoilt []byte) {
		if err := os.WriteFile(path, spoilt, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Verify(t.Context(), Check{Dir: dir, Public: []ed25519.PublicKey{id.Public()}})
		if err != nil {
			t.Fatal(err)
		}
		if r.OK() != bytes.Equal(spoilt, content) {
			t.Errorf("problems %v", r.Problems)
		}
	})
}
