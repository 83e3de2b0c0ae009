// Package page is a document laid flat: the rows of text on it, and what networks read there. A stretch of ink is read once in
// each view and kept, so that whoever asks again, with another question, pays nothing. It knows no document.
package page
