package card

import (
	"fmt"
	"os"
)

func (a cells) debug(way way) {
	if os.Getenv("CELLS") == "" {
		return
	}
	fmt.Fprintln(os.Stderr, "way", way)
	for i := range a {
		c := &a[i]
		fmt.Fprintf(os.Stderr, "%2d line %2d y %.3f x %.3f-%.3f h %4.1f %-16s %q conf %.3f values %v\n", i, c.line, c.y(), c.left(), c.right(), c.height(), c.label, c.text, c.confidence, c.values)
	}
}
