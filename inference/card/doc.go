// Package card reads documents: it finds them in a picture, has their text read and turns it into the fields of
// the contract, each with its evidence.
package card
