package inference

// #include <malloc.h>
import "C"

import "runtime/debug"

// arenas is how many heaps of its own the C library may have. By default it opens one for each thread that allocates, up to eight times
// the cores, and keeps in each what its threads have freed: 60 MiB after a few hundred pictures of 12 million pixels.
const arenas = 2

// FewArenas bounds how many heaps the C library may have. It counts for the whole process, from the first call on.
func FewArenas() {
	C.mallopt(C.M_ARENA_MAX, arenas)
	C.mallopt(C.M_MMAP_THRESHOLD, ownPages)
}

// ownPages is from how many bytes on the C library takes what it allocates from the system and gives it back when it is freed. By default
// that bound rises to the largest that was ever freed, up to 32 MiB, and what large pictures take stays with the heaps.
const ownPages = 1 << 20

// Trim gives memory back to the system that closed networks have left with the C library. Without it, a process that exchanges its
// networks keeps what its threads have freed: up to as much again as the networks took.
func Trim() { C.malloc_trim(0) }

// Tidy gives memory back to the system that large pictures have left free, with Go and with the C library.
func Tidy() {
	debug.FreeOSMemory()
	Trim()
}
