// Package jpeg decodes JPEGs, baseline and progressive, into the planes of their components. It knows neither what a picture of the house
// is nor its limits of size: the caller holds the size that a file states against them before it decodes.
package jpeg
