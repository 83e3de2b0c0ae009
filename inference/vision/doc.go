// Package vision gives the readers their geometric tools over planes of samples: scaling, perspective sampling, contrast and quality
// measures.
//
// OpenCV, through gocv, sees only sample planes whose sizes this package has checked. A gocv.Mat never leaves the
// package: what goes out are byte slices that the caller owns.
package vision
