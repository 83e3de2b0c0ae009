// Package form reads a document by its description: which fields it has, which labels announce them and what each may hold. It
// finds the labels anywhere in the text, gives each stretch of text to the field that it most likely belongs to, and reads the
// values. A kind of document is data; this package knows none.
package form
