// Package injection makes injected media: triples of frames that a forger computes from one or two stills of a person and uploads as if a
// camera had taken them. It exists to measure how many of them pass (CEN/TS 18099 and ISO/IEC 25456 count them as injection attack
// instrument species; here they are called families) and takes no part in judging anybody.
package injection
