#!/bin/bash
# Runs `go test -v` with the given arguments and shows of it what a reader
# wants: one line for each package, what the tests of a failed package said,
# and at the end how many tests ran and which were skipped, with their reason.
# The exit status is that of go test.
set -uo pipefail

go test -v "$@" 2>&1 | awk '
	/^=== / { test = $3; next }
	/^ *--- (PASS|FAIL|SKIP): / { count[$2]++; names[$2] = names[$2] "\n  " $3 (reason[$3] && /SKIP/ ? ": " reason[$3] : "") }
	/^ *--- PASS: / { next }
	/^ +[^ ]+_test\.go:[0-9]+: / { reason[test] = $0; sub(/^ +[^ ]+: /, "", reason[test]) }
	{ held[++n] = $0 }
	/^(ok  |\?   |FAIL)\t/ {
		if (/^FAIL/) for (i = 1; i < n; i++) print held[i]
		n = 0; split("", reason); print; fflush()
	}
	END {
		for (i = 1; i <= n; i++) if (held[i] !~ /^(FAIL|ok|PASS)$/) print held[i]
		printf "\n%d tests passed, %d failed, %d skipped\n", count["PASS:"], count["FAIL:"], count["SKIP:"]
		if (names["FAIL:"]) print "failed:" names["FAIL:"]
		if (names["SKIP:"]) print "skipped:" names["SKIP:"]
	}'
exit "${PIPESTATUS[0]}"
