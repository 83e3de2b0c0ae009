// Package words writes what people read on a terminal: numbers with their nouns, sizes, one line of an error, JSON.
package words

import "fmt"

// Count writes how many there are of something: "1 key", "2 keys".
func Count[N int | uint64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Transactions writes how many transactions there are, and their records.
func Transactions(n, records int) string {
	return Count(n, "transaction", "transactions") + " with " + Count(records, "record", "records")
}

// Size writes a number of bytes in the unit in which a person compares such numbers.
func Size(bytes int64) string {
	switch {
	case bytes >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
	case bytes >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
	}
	return fmt.Sprintf("%d KiB", (bytes+1<<10-1)>>10)
}

// Column is the width of a column that all names fit in.
func Column(least int, names []string) int {
	for _, name := range names {
		least = max(least, len(name))
	}
	return least
}

// Mebibytes is a number of bytes in MiB.
func Mebibytes(n int64) float64 { return float64(n) / (1 << 20) }
