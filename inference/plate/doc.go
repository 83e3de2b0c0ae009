// Package plate reads licence plates: where on a plate its signs are and which, what the plate therefore says and how sure
// that is, and where in a picture a plate is when nothing else has found it.
package plate
