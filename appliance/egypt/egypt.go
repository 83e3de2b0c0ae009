// Package egypt holds what is particular to Egyptian documents: the national number and its governorates, and digits as
// they are printed there. It knows rules and vocabularies, no pictures; everything is computed from its arguments, and
// nothing reads a clock.
package egypt
