// Package report measures a set of pictures whose content is known and writes what it found as one page that can be filed: HTML
// without any other file, in Arabic and English, and figures in JSON inside it. It holds no picture and no value of the set.
//
// # What is measured
//
// The documents of the set are read by the engine that is in use. Beside them the folder may hold, each in the form of its own
// command, faces (`bawab eval faces`), liveness (`bawab eval liveness`) and fraud (`bawab eval spoof`); their error rates are counted as
// ISO/IEC 19795-1 and ISO/IEC 30107-3 do. The documents of the set itself count as genuine ones for the cues of fraud.
package report
