package inference

import (
	"sync"
	"testing"
)

// TestWork: every inference under a context counts there with the model's multiply-accumulates, also from many
// goroutines; a failed call, one under another context and one under none do not count.
func TestWork(t *testing.T) {
	m := tiny(t)
	n := open(t, m, 2)
	in, out := noise(n.Input().Len()), make([]int8, n.Output().Len())
	var mine, other Work
	ctx := WithWork(t.Context(), &mine)
	const runs = 40
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			answer := make([]int8, len(out))
			for range runs / 4 {
				if err := n.Run(ctx, in, answer); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if err := n.Run(ctx, in[1:], out); err == nil {
		t.Error("a call with a short input succeeds")
	}
	if err := n.Run(WithWork(ctx, &other), in, out); err != nil {
		t.Error(err)
	}
	if err := n.Run(t.Context(), in, out); err != nil {
		t.Error(err)
	}
	if got, macs := mine.Total(); got != runs || macs != runs*m.MACs || m.MACs == 0 {
		t.Errorf("%d runs of %d MACs counted as %d with %d", runs, m.MACs, got, macs)
	}
	if got, _ := other.Total(); got != 1 {
		t.Errorf("the inner context counted %d runs, want 1", got)
	}
}
