package face

import (
	"context"
	"fmt"
	"slices"

	"github.com/bawab/bawab/inference"
)

// network is what this package needs of an *inference.Network.
type network interface {
	Run(ctx context.Context, in, out []int8) error
	Input() inference.Tensor
	Output() inference.Tensor
}

// fits reports whether a network has the shapes that the code was written for.
func fits(name string, n network, in, out []int) error {
	if got := n.Input().Shape; !slices.Equal(got, in) {
		return fmt.Errorf("network %s: the input has shape %v instead of %v", name, got, in)
	}
	if got := n.Output().Shape; !slices.Equal(got, out) {
		return fmt.Errorf("network %s: the output has shape %v instead of %v", name, got, out)
	}
	return nil
}

// values is what each stored value of the tensor stands for, from -128 on.
func values(t inference.Tensor) (table [256]float64) {
	for v := range table {
		table[v] = float64(t.Scale) * float64(v-128-t.ZeroPoint)
	}
	return table
}
