// Package httpapi serves the v1 HTTP API of the appliance and its control socket.
//
// Everything that fiber lends to a handler is copied into types of this package or of appliance before the handler
// goes on, so nothing borrowed leaves it.
package httpapi
