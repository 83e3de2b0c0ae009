// Package pages reads the file of a bbolt database with bounds checks and without a memory map: whole, along its structure, or
// damaged, each page by itself. It knows the form that bbolt gives a file, and nothing of what lies in it.
package pages
