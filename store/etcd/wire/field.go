package wire

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// The append functions write one field of a message. Like every proto3 encoder they leave out what is zero.

func appendNumber(b []byte, field protowire.Number, v int64) []byte {
	if v == 0 {
		return b
	}
	return appendChoice(b, field, v)
}

// appendChoice writes a number also where it is zero: as a member of a oneof, whose being there says which one is meant.
func appendChoice(b []byte, field protowire.Number, v int64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), uint64(v))
}

func appendFlag(b []byte, field protowire.Number, v bool) []byte {
	if !v {
		return b
	}
	return appendChoice(b, field, 1)
}

func appendText[T string | []byte](b []byte, field protowire.Number, v T) []byte {
	if len(v) == 0 {
		return b
	}
	return appendMessage(b, field, v)
}

// appendMessage writes a message within a message also where it is empty.
func appendMessage[T string | []byte](b []byte, field protowire.Number, v T) []byte {
	b = protowire.AppendTag(b, field, protowire.BytesType)
	return append(protowire.AppendVarint(b, uint64(len(v))), v...)
}

// field is one field of a message that came: a number, or what is delimited by its length.
type field struct {
	id     protowire.Number
	number int64
	bytes  []byte // borrowed from the message
}

// fields passes the fields of a message to visit, in their order and until it returns an error.
func fields(message []byte, visit func(field) error) error {
	for len(message) > 0 {
		id, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return malformed(n)
		}
		message = message[n:]
		f := field{id: id}
		switch kind {
		case protowire.VarintType:
			var v uint64
			v, n = protowire.ConsumeVarint(message)
			f.number = int64(v)
		case protowire.BytesType:
			f.bytes, n = protowire.ConsumeBytes(message)
		default: // etcd has no such field here: that of a newer one
			f.id, n = 0, protowire.ConsumeFieldValue(id, kind, message)
		}
		if n < 0 {
			return malformed(n)
		}
		message = message[n:]
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}

func malformed(n int) error { return fmt.Errorf("malformed message: %w", protowire.ParseError(n)) }
