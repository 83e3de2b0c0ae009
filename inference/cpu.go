package inference

import "golang.org/x/sys/cpu"

// Features names the instructions of this processor that the int8 kernels use,
// fastest first; empty means that only the baseline of its architecture is
// there, and inference takes several times as long.
func Features() []string {
	var names []string
	for _, f := range []struct {
		name string
		has  bool
	}{
		{"avx512-vnni", cpu.X86.HasAVX512VNNI},
		{"avx-vnni", cpu.X86.HasAVXVNNI},
		{"avx512", cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512DQ},
		{"avx2", cpu.X86.HasAVX2},
		{"i8mm", cpu.ARM64.HasI8MM},
		{"dotprod", cpu.ARM64.HasASIMDDP},
	} {
		if f.has {
			names = append(names, f.name)
		}
	}
	return names
}
