// Package usecase carries out what callers ask of the appliance: it reads a picture, compares a face, judges a burst of uploaded frames or
// one of the appliance's own camera, puts the outcome on record in its transaction and keeps it for people to look at.
//
// Appliance answers requests that bring pictures, Capturer those for which the appliance's own camera takes them. Networks can be
// exchanged under both: every request keeps those that it began with.
package usecase
