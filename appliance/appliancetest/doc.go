// Package appliancetest holds what the tests of every other package share: fakes of the interfaces of package
// appliance, and one conformance suite per store interface, run on the fake and on every real driver.
//
// The fakes PictureDecoder and Reader are structs of function fields. Transactions and Keys are small working
// stores in memory that pass the same suites as the real ones.
package appliancetest
