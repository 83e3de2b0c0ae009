// Package kind reads a document by the description of its kind alone: it finds what may be the document in a picture, lays it flat in the
// ways in which it may lie, and keeps the one in which its text proves the kind. It knows no kind.
package kind
