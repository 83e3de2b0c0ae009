package card

import (
	"context"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// Property: a cell that reads the same however it is cut, such as a sign that the recogniser sees again and again, comes to an
// end.
func TestCuttingEnds(t *testing.T) {
	looks := 0
	seen := script{text: ": مصر", confidence: 0.9, symbols: []text.Symbol{
		{Rune: 'ر', Prob: 0.9, Start: 0, End: 0.3}, {Rune: 'ص', Prob: 0.9, Start: 0.3, End: 0.6}, {Rune: 'م', Prob: 0.9, Start: 0.6, End: 0.99},
		{Rune: ' ', Prob: 0.9, Start: 0.99, End: 0.995}, {Rune: ':', Prob: 0.9, Start: 0.995, End: 1},
	}}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
	defer stop()
	s := &sheet{level: asSeen, words: func(ctx context.Context, _ text.Line) (script, error) {
		looks++
		return seen, ctx.Err()
	}}
	l := text.Line{Start: appliance.Point{X: 100, Y: 100}, End: appliance.Point{X: 300, Y: 100}, Height: 12}
	c := cell{entry: entry{row: row{{l}}, script: seen}}
	c.parts = []script{seen}
	if _, err := s.cutAtLabels(ctx, c, []egypt.Phrase{}); err != nil {
		t.Errorf("%v after %d looks", err, looks)
	}
}
