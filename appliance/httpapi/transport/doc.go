// Package transport is what lies below the requests of the API: addresses to listen on, connections and their bound, TLS, headers that two
// programs could read in two ways, and bodies with the memory and the time that they may take.
//
// It knows no route and no key. What it protects against is a client that is slow, silent, gone or too many.
package transport
