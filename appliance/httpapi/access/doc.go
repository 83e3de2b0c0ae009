// Package access decides who may ask the appliance what: by the address, the web origin, the API key, the session of the console,
// the ticket of a preview or the code of a kiosk screen that a request comes with, and by how many came before it.
//
// It knows no route. What it keeps is in memory alone, so a restart ends every session, ticket and code.
package access
