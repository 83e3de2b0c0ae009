#!/bin/bash
# Runs `go test -v` with the given arguments and shows of it what a reader
# wants: one line for each package, everything of a package that failed, and at
# the end how many tests ran and which were skipped, with their reason. The
# exit status is that of go test.
set -uo pipefail

go test -v "$@" 2>&1 | awk '
	{ held[++n] = $0 }
	/^ *[^ ]+_test\.go:[0-9]+: / { reason = $0; sub(/^ *[^ ]+: /, "", reason) }
	/^ *--- PASS: / { passed++ }
	/^ *--- FAIL: / { failed++; names = names "\n  " $3 }
	/^ *--- SKIP: / { skipped++; skips = skips "\n  " $3 ": " reason }
	/^(ok  |\?   |FAIL)\t/ || /^\t.*coverage: / {
		if (/^FAIL/) for (i = 1; i < n; i++) print held[i]
		n = 0; print; fflush()
	}
	END {
		for (i = 1; i <= n; i++) if (held[i] !~ /^(FAIL|ok|PASS)$/) print held[i]
		printf "\n%d tests passed, %d failed, %d skipped\n", passed, failed, skipped
		if (names) print "failed:" names
		if (skips) print "skipped:" skips
	}'
exit "${PIPESTATUS[0]}"
