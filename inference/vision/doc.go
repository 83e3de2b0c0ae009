// Package vision turns pictures from outside into planes of samples and gives the readers their geometric tools:
// scaling, perspective sampling, contrast and quality measures.
//
// Bytes from outside are parsed by Go code alone (this package, the standard library and golang.org/x/image): a
// malformed picture can cost a bounded amount of memory and time and ends in an error, never in damaged memory.
// OpenCV, through gocv, sees only sample planes whose sizes this package has checked. A gocv.Mat never leaves the
// package: what goes out are byte slices that the caller owns.
package vision
