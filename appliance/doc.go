// Package appliance holds the nouns and the rules of the doorman: transactions, documents and their fields,
// validations, API keys, errors and warnings. The use cases that tie them together stand in usecase.
//
// It imports the standard library alone. Everything native or third-party (pictures, networks, the database,
// HTTP, the camera) stands one step away behind the small interfaces declared here, and cmd/bawab wires it up.
package appliance
