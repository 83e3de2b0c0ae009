package store

import (
	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/store/seal"
)

// unavailable is the answer to a caller whose write or read could not be done now.
func unavailable(op string, err error) error {
	e := &appliance.Error{
		Code: appliance.CodeUnavailable, Op: op, Msg: "the store is not available now: try again later", Hint: seal.HintCheck, Err: err,
	}
	if folder.Full(err) {
		e.Msg, e.Hint = "the disk of the store is full: try again later", "free some room on the disk of the data folder"
	}
	return e
}
