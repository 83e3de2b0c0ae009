package edit

import "testing"

// TestDistance: the distance counts the least edits, in either direction.
func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "شارع", 4},
		{"شارع", "", 4},
		{"شارع", "شارع", 0},
		{"kitten", "sitting", 3},
		{"١٢ ش", "١٢ ش ", 1},
		{"abcd", "bcde", 2},
	} {
		if got := Distance([]rune(tt.a), []rune(tt.b)); got != tt.want {
			t.Errorf("%q to %q: %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}
