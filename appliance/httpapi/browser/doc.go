// Package browser holds the routes that only the appliance's own pages call: those of the console, with a session and its token, and
// those of the kiosk's screens. The pages themselves are given to it.
package browser
