package inference

import (
	"errors"
	"testing"
)

// TestBudget: under a budget as many inferences run as it has, by number and by multiply-accumulates, and none without what it costs;
// larger pictures have more, up to a bound; pages of text
// have as many inferences whatever their size; without a budget there is no end.
func TestBudget(t *testing.T) {
	m := tiny(t)
	n := open(t, m, 1)
	in, out := noise(n.Input().Len()), make([]int8, n.Output().Len())
	for name, set := range map[string]func(*Budget){
		"inferences": func(b *Budget) { b.runs.Store(5); b.macs.Store(1 << 60) },
		"arithmetic": func(b *Budget) { b.runs.Store(1 << 60); b.macs.Store(5*m.MACs + m.MACs/2) },
	} {
		b := &Budget{}
		set(b)
		ctx := WithBudget(t.Context(), b)
		for i := range 7 {
			if err := n.Run(ctx, in, out); errors.Is(err, ErrBudget) != (i >= 5) || i < 5 && err != nil {
				t.Errorf("%s: inference %d: %v", name, i+1, err)
			}
		}
		if err := n.Run(t.Context(), in, out); err != nil {
			t.Errorf("%s: without a budget: %v", name, err)
		}
	}
	if b := NewTextBudget(640 * 480); b.runs.Load() != textRuns || b.macs.Load() != NewBudget(640*480).macs.Load() {
		t.Errorf("a page of text may cost %d inferences and %d multiply-accumulates", b.runs.Load(), b.macs.Load())
	}
	small, large, huge := NewBudget(640*480), NewBudget(1600*1200), NewBudget(25_000_000)
	if small.runs.Load() < anyRuns || large.runs.Load() <= small.runs.Load() || large.macs.Load() <= small.macs.Load() ||
		huge.runs.Load() != mostRuns || huge.macs.Load() != mostMACs {
		t.Errorf("budgets %d, %d, %d inferences", small.runs.Load(), large.runs.Load(), huge.runs.Load())
	}
}
