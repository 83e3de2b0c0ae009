package engine

import (
	"io"
	"os"

	"github.com/bawab/bawab/appliance"
)

// ReadPicture reads a picture file. One byte over the limit is kept, so that the decoder sees that it is too large
// without a huge file ever lying in memory.
func ReadPicture(stdin io.Reader, name string, limit int64) ([]byte, error) {
	from := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, unreadablePicture(err)
		}
		defer f.Close()
		from = f
	}
	picture, err := io.ReadAll(io.LimitReader(from, limit+1))
	if err != nil {
		return nil, unreadablePicture(err)
	}
	return picture, nil
}

func unreadablePicture(err error) error {
	return &appliance.Error{Op: "read picture", Msg: err.Error(), Hint: "name a picture file that you may read, or - for standard input"}
}
