// Package httpapi serves the v1 HTTP API of the appliance: it holds the routes of callers, and the server that puts them together with
// what lies below and beside them.
//
// Everything that fiber lends to a handler is copied into types of this package or of appliance before the handler
// goes on, so nothing borrowed leaves it.
package httpapi
