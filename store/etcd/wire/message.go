package wire

// Lease is the number of a lease; 0 is none.
type Lease int64

// KeyValue is a key as it was at one revision.
type KeyValue struct {
	Key      string
	Value    []byte // nil where only keys were asked for
	Modified int64  // the revision of the last change
	Lease    Lease
}

func (kv *KeyValue) read(message []byte) error {
	return fields(message, func(f field) error {
		switch f.id {
		case 1:
			kv.Key = string(f.bytes)
		case 3:
			kv.Modified = f.number
		case 5:
			kv.Value = f.bytes
		case 6:
			kv.Lease = Lease(f.number)
		}
		return nil
	})
}

// Op is one step of a transaction: a Range, a Put or a Delete.
type Op interface {
	// appendOp appends the step as a RequestOp.
	appendOp(b []byte) []byte
}

// Range asks for the keys from Key up to before End; "" asks for Key alone.
type Range struct {
	Key, End string
	Limit    int64 // 0 is no limit
	Revision int64 // as it was then; 0 is now
	KeysOnly bool
}

// Prefix asks for every key that begins so.
func Prefix(prefix string) Range { return Range{Key: prefix, End: PrefixEnd(prefix)} }

// PrefixEnd is the first key after all that begin with the prefix, whose last byte must not be 0xff.
func PrefixEnd(prefix string) string {
	last := len(prefix) - 1
	return prefix[:last] + string([]byte{prefix[last] + 1})
}

func (r Range) message() []byte {
	b := appendText(nil, 1, r.Key)
	b = appendText(b, 2, r.End)
	b = appendNumber(b, 3, r.Limit)
	b = appendNumber(b, 4, r.Revision)
	return appendFlag(b, 8, r.KeysOnly)
}

func (r Range) appendOp(b []byte) []byte { return appendMessage(b, 1, r.message()) }

// Put gives a key a value, and hangs it on a lease.
type Put struct {
	Key   string
	Value []byte
	Lease Lease
}

func (p Put) appendOp(b []byte) []byte {
	m := appendText(nil, 1, p.Key)
	m = appendText(m, 2, p.Value)
	return appendMessage(b, 2, appendNumber(m, 3, int64(p.Lease)))
}

// Delete removes the keys from Key up to before End; "" removes Key alone.
type Delete struct{ Key, End string }

// DeletePrefix removes every key that begins so.
func DeletePrefix(prefix string) Delete { return Delete{Key: prefix, End: PrefixEnd(prefix)} }

func (d Delete) appendOp(b []byte) []byte {
	return appendMessage(b, 3, appendText(appendText(nil, 1, d.Key), 2, d.End))
}

// Unchanged holds while a key was last changed in the given revision; 0 is that there is no such key.
type Unchanged struct {
	Key      string
	Modified int64
}

func (u Unchanged) appendCompare(b []byte) []byte {
	const modified = 2 // the target of the comparison; that it is for equality is the zero of its field
	m := appendText(appendNumber(nil, 2, modified), 3, u.Key)
	return appendMessage(b, 1, appendChoice(m, 6, u.Modified))
}

// Txn is a transaction: all of Then at once if the condition holds, and else all of Else.
type Txn struct {
	If         *Unchanged // nil holds always
	Then, Else []Op
}

// steps are those that are carried out if the condition holds, or if it does not.
func (t Txn) steps(held bool) []Op {
	if held {
		return t.Then
	}
	return t.Else
}

func (t Txn) message() []byte {
	var b []byte
	if t.If != nil {
		b = t.If.appendCompare(b)
	}
	for _, op := range t.Then {
		b = appendMessage(b, 2, op.appendOp(nil))
	}
	for _, op := range t.Else {
		b = appendMessage(b, 3, op.appendOp(nil))
	}
	return b
}

// Found is what a Range found.
type Found struct {
	Revision int64 // of the cluster when it was read
	Keys     []KeyValue
	More     bool // that there are more keys than the limit let through
}

func (r *Found) read(message []byte) error {
	return fields(message, func(f field) (err error) {
		switch f.id {
		case 1:
			r.Revision, err = revision(f.bytes)
		case 2:
			var kv KeyValue
			err = kv.read(f.bytes)
			r.Keys = append(r.Keys, kv)
		case 3:
			r.More = f.number != 0
		}
		return err
	})
}

// Done is what a transaction did.
type Done struct {
	Revision int64 // of the cluster after it
	Held     bool  // that the condition held
	// Found is what the ranges found, in the place of their step; other steps find nothing.
	Found []Found
}

func (d *Done) read(message []byte) error {
	return fields(message, func(f field) (err error) {
		switch f.id {
		case 1:
			d.Revision, err = revision(f.bytes)
		case 2:
			d.Held = f.number != 0
		case 3:
			var found Found
			err = fields(f.bytes, func(f field) error {
				if f.id != 1 {
					return nil
				}
				return found.read(f.bytes)
			})
			d.Found = append(d.Found, found)
		}
		return err
	})
}

// Status is how a member says that it is.
type Status struct {
	Member  uint64
	Leader  uint64 // the member that leads; 0 is none
	Version string
	Size    int64    // of the database on disk, in bytes
	Used    int64    // of that, what is in use
	Errors  []string // its alarms, in its own words
}

func (s *Status) read(message []byte) error {
	return fields(message, func(f field) error {
		switch f.id {
		case 1:
			return fields(f.bytes, func(f field) error {
				if f.id == 2 {
					s.Member = uint64(f.number)
				}
				return nil
			})
		case 2:
			s.Version = string(f.bytes)
		case 3:
			s.Size = f.number
		case 4:
			s.Leader = uint64(f.number)
		case 8:
			s.Errors = append(s.Errors, string(f.bytes))
		case 9:
			s.Used = f.number
		}
		return nil
	})
}

// revision reads that of a header.
func revision(header []byte) (v int64, err error) {
	err = fields(header, func(f field) error {
		if f.id == 3 {
			v = f.number
		}
		return nil
	})
	return v, err
}
