package inference

// #include <malloc.h>
import "C"

// arenas is how many heaps of its own the C library may have. By default it opens one for each thread that allocates, up to eight times
// the cores, and keeps in each what its threads have freed: 60 MiB after a few hundred pictures of 12 million pixels.
const arenas = 2

// FewArenas bounds how many heaps the C library may have. It counts for the whole process, from the first call on.
func FewArenas() { C.mallopt(C.M_ARENA_MAX, arenas) }

// Trim gives memory back to the system that closed networks have left with the C library. Without it, a process that exchanges its
// networks keeps what its threads have freed: up to as much again as the networks took.
func Trim() { C.malloc_trim(0) }
