// Package truth keeps what people confirmed as a set that the measuring commands read: pictures and JSON lines, split into two halves that
// share no person and no day. What is fitted on the one is measured on the other.
//
// # The folder
//
//	truth.json             the form and the releases that read the pictures
//	fit/truth.jsonl        one document a line, as `bawab eval documents` reads it, with who and when beside
//	fit/pictures/ID.jpg    the pictures as they were sent
//	test/…                 the same for the other half
//
// A truth set holds personal data in clear: it belongs on an encrypted disk, and travels as an archive for named recipients. A person is
// told by the begin of a hash of his number, which stands in the set anyway; it lets sets of several kiosks be joined without mixing the
// halves.
package truth
