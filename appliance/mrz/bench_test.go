package mrz

import (
	"math/rand/v2"
	"testing"
)

func BenchmarkDecode(b *testing.B) {
	for _, s := range []severity{{"clean", 0.0002, 11, 0.05}, {"poor", 0.02, 6, 0.05}, {"wreck", 0.2, 3, 0.1}} {
		b.Run(s.name, func(b *testing.B) {
			m := maker{rand.New(rand.NewPCG(1, 2))}
			zones := make([]Zone, 64)
			for i := range zones {
				zones[i] = m.zone(m.document(), s)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				Decode(zones[i%len(zones)], noon)
			}
		})
	}
	b.Run("unreadable", func(b *testing.B) {
		for b.Loop() {
			Decode(Zone{Format: TD3}, noon)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(specimenTD3.lines, noon); err != nil {
			b.Fatal(err)
		}
	}
}
