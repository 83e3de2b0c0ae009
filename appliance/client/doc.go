// Package client calls the HTTP API of a bawab appliance.
//
// It needs nothing of the appliance's own code. The folders beside it hold the same client for Python and for TypeScript.
package client
