// Package multi reads every document of a picture, in the order of a page.
package multi
