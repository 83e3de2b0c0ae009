// Package pdf decodes a page of a PDF that a scanner or a phone has made: a page whose content is pictures. It draws no text and no
// lines, so a page that was set by a program is refused with a code, not read by halves.
//
// It is Go code alone, and what it may cost is bounded before it is spent: tokens, bytes gone through and bytes inflated, depth of every
// recursion, pictures of a page, pixels of them and of the page. The pictures themselves are handed to inference/decode, whose limits
// hold for each, as the file that each of them is: a JPEG, or a TIFF or PNG written around the compressed bytes.
package pdf
