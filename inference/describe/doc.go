// Package describe reads what a kind of documents prints, a description and its labels, from the files of its folder, and says with
// file, line and reason what is wrong with them. docs/adding-a-document.md has the syntax.
package describe
