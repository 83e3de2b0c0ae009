// Package text reads lines of text.
//
// Line says where one lies in a picture. LineReader reads lines of words, DigitReader numbers and dates. Each turns a line into a
// lattice of symbol probabilities over its columns, from which follow the best reading, what each printed position may hold, and
// how likely any other text is. Lines of words come in logical order. Knowledge about documents stays out of here: it belongs to the
// callers.
package text
