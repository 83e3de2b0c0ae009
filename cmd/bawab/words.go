package main

import "fmt"

// count writes how many there are of something: "1 key", "2 keys".
func count[N int | uint64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// transactions writes how many transactions there are, and their records.
func transactions(n, records int) string {
	return count(n, "transaction", "transactions") + " with " + count(records, "record", "records")
}

// size writes a number of bytes in the unit in which a person compares such numbers.
func size(bytes int64) string {
	switch {
	case bytes >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
	case bytes >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
	}
	return fmt.Sprintf("%d KiB", (bytes+1<<10-1)>>10)
}

// column is the width of a column that all names fit in.
func column(least int, names []string) int {
	for _, name := range names {
		least = max(least, len(name))
	}
	return least
}
