// Package field reads values: a decoder takes stretches of ink and says what they hold and how sure that is. What values there can
// be, numbers under a grammar, vocabularies, the words of a language, is no knowledge of this package: a decoder is given it.
package field
