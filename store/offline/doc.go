// Package offline is what an operator does to the database of a data folder that no bawab uses: checks it, saves what can be read of a
// damaged one, and puts a backup in its place. Each holds the lock of the folder meanwhile.
//
// A restore must not bring back the dead: what has ended by the clock, or is remembered as ended, is left out.
package offline
