package decode

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/decode/decodetest"
	"github.com/google/go-cmp/cmp"
)

// Uploaded pictures that all carry their time with its fraction are held to the 500 ms rule, also backwards; when one of them
// carries none, nothing is known and nothing is refused.
func TestUploadedGaps(t *testing.T) {
	const date = "2026:11:20 13:05:59"
	ms := time.Millisecond
	for _, tt := range []struct {
		name      string
		dates     [3]string
		fractions [3]string
		want      []time.Duration
		exceeded  bool
	}{
		{"a burst", [3]string{date, date, date}, [3]string{"100", "350", "85"}, []time.Duration{250 * ms, 500 * ms}, false},
		{"over a second's end", [3]string{date, "2026:11:20 13:06:00", "2026:11:20 13:06:00"}, [3]string{"9", "05", "30"}, []time.Duration{150 * ms, 250 * ms}, false},
		{"a millisecond too much", [3]string{date, date, date}, [3]string{"100", "200", "701"}, []time.Duration{100 * ms, 501 * ms}, true},
		{"backwards", [3]string{date, date, date}, [3]string{"500", "400", "600"}, []time.Duration{-100 * ms, 200 * ms}, true},
		{"all at once", [3]string{date, date, date}, [3]string{"5", "50", "500"}, []time.Duration{0, 0}, false},
		{"one without its fraction", [3]string{date, date, date}, [3]string{"100", "", "900"}, nil, false},
		{"one without its date", [3]string{date, "", date}, [3]string{"100", "200", "900"}, nil, false},
		{"none", [3]string{}, [3]string{}, nil, false},
	} {
		var times []time.Time
		for i := range tt.dates {
			x := exifSpec{order: binary.LittleEndian, orientation: 1, date: tt.dates[i], fraction: tt.fractions[i]}.encode()
			p, err := Decoder{MinSide: 16}.Decode(t.Context(), decodetest.ColourJPEG(0xc0, 2, 2, x).Encode())
			if err != nil {
				t.Fatal(err)
			}
			times = append(times, p.Taken)
		}
		got, exceeded := appliance.Gaps(times)
		if diff := cmp.Diff(tt.want, got); diff != "" || exceeded != tt.exceeded {
			t.Errorf("%s: exceeded %v %s", tt.name, exceeded, diff)
		}
	}
}
