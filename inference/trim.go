package inference

// #include <malloc.h>
import "C"

// Trim gives memory back to the system that closed networks have left with the C library. Without it, a process that exchanges its
// networks keeps what its threads have freed: up to as much again as the networks took.
func Trim() { C.malloc_trim(0) }
