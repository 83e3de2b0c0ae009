// Package decode turns picture files from outside into planes of samples: it tells the kind by the content, holds the stated size against
// the limits, decodes, and turns the picture upright.
//
// Bytes from outside are parsed by Go code alone (this package and that of JPEG below it, the standard library and golang.org/x/image): a
// malformed picture can cost a bounded amount of memory and time and ends in an error, never in damaged memory.
package decode
