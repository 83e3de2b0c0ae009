// Package tell says of which kind a document is, and whether it is any club's, by what is printed on it: by the marks that the
// descriptions of kinds list. It knows no kind and no label.
package tell
