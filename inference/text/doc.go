// Package text finds lines of text in a picture and reads them.
//
// Detector marks text lines of any script and machine readable zones, in a whole picture, in a part laid flat or at any
// scale. LineReader reads lines of words, DigitReader numbers and dates, Recogniser machine readable zones. Each turns a
// line into a lattice of symbol probabilities over its columns, from which follow the best reading, what each printed
// position may hold, and how likely any other text is. Lines of words come in logical order. Knowledge about documents
// stays out of here: it belongs to the callers.
package text
