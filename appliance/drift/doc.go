// Package drift notices when readings become worse: it counts, per kind of document and day, what was read, left empty, doubted and
// refused, and watches each of these rates against the rate that the site itself had at first.
//
// # What is counted
//
// Numbers alone: how many documents of a kind, and on how many of them something held. No value, no picture, no transaction and no key
// comes into this package's memory, and none could be told from a count. What is counted comes from fixed sets (kinds, fields of their
// models, codes, reasons), so no caller can grow it; a name beyond SeriesMost of one stream is counted as "other".
//
// A stream is what has a denominator of its own: the documents of a kind that were read, the pictures that were sent to be read as that
// kind, the face matches, the liveness checks. A series is a share of its stream: of the ID fronts, those without a birth date.
//
// # How a rise is found
//
// Each series has a CUSUM chart for a Bernoulli rate (Page 1954; Reynolds and Stoumbos 1999). The score of a document is the logarithm of
// how much likelier it is at the raised rate than at the baseline, the sum never falls below zero, and a sum above the limit is an alarm.
// The raised rate has three times the odds of the baseline: for rare things that is three times as many, and it exists for common ones too.
// The place where the sum last left zero is the likeliest time of the change: it is what "since Tuesday" is taken from.
//
// The baseline is the site's own: the first LearnDocuments documents of a stream, on LearnDays days at least, and those that follow while
// the rate stays, up to 4,000. What a release measured on drawn cards is no baseline for a counter with another lamp and other cards: every
// site would raise an alarm on its first day. The rate is taken at the upper end of its interval (Wilson, one standard deviation), one per
// cent at least, because a baseline that was lucky would raise false alarms for ever.
//
// # Run lengths
//
// The limit is set for one false alarm a year in a family, that is all series of one measure of one stream together: with m series and v
// documents a year (100 a day at the least, the stream's own number where it is greater) a chart must run m·v documents without a false
// alarm on average. The average run length of these charts is near 1.8 e^h / p, where p is the baseline; the limit h takes 1.5 for 1.8. By
// simulation (go test ./appliance/drift -run RunLength -v -runs 300: a family of 13 fields, 100 documents a day, the baseline learned
// from 300
// documents, the rise after 1,500 more; in brackets the false alarms that were seen in some 10.7 million documents for each row):
//
//	rate           false alarms a year     documents until the alarm     found within
//	               in a family of 13       half of the runs    90 %      100 documents
//	 1 % to  3 %        0.35  (8)               731          12047         1 %
//	 2 % to  6 %        0.67 (15)               321            878         3 %
//	 5 % to 15 %        0.44 (10)               121            223        36 %
//	10 % to 30 %        0.35  (8)                69            123        81 %
//	20 % to 60 %        0.35  (8)                33             46       100 %
//	30 % to 90 %        0.44 (10)                21             26       100 %
//
// So at 100 documents a day a threefold rise is found within a day where the rate was about 10 % or more before, and within two or three
// days at 5 %. Of
// what held on 2 % a day has two cases and then six: six in a day come by chance once in sixty days, so no method with so few false
// alarms can be faster than days. A rare thing that becomes common is found at once: from 1 % to 30 % in some 25 documents.
//
// The run lengths hold for documents that come independently. One customer who tries the same blurred card ten times is ten documents.
package drift
