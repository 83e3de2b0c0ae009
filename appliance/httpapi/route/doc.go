// Package route surrounds every request of the API, so that a route has nothing to do but to answer: the request's id and language, who
// sends it, its body, its answer when it fails, its line in the log, its entry in the journal and its figures.
package route
