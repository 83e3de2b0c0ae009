#!/bin/bash
# Holds the findings of golangci-lint, which come on standard input one a line,
# against those that were there when their rule came:
#
#   golangci-lint run | packaging/ratchet.sh packaging/ratchet.txt [lower]
#
# A line of the file is LINTER PLACE NUMBER: of a function its complexity, of
# any other rule how many findings a file has. More than that, or a new place,
# fails. Less fails too, so that the file shrinks with the code: `lower` (that
# is `make ratchet`) writes it anew, and never takes in what is new.
set -euo pipefail

file=${1:?usage: packaging/ratchet.sh FILE [lower]}
mode=${2:-}
new=$(mktemp)
trap 'rm -f "$new"' EXIT

awk -v mode="$mode" -v out="$new" '
	FILENAME != "-" { if (!/^#/ && NF == 3) allowed[$1 " " $2] = $3; next }
	match($0, /\([a-z]+\)$/) {
		linter = substr($0, RSTART + 1, RLENGTH - 2)
		split($0, part, ":")
		place = part[1]; number = 1
		if (match($0, /complexity [0-9]+ of func `[^`]*`/)) {
			split(substr($0, RSTART, RLENGTH), word, " ")
			number = word[2]; name = word[5]; gsub(/`/, "", name)
			place = place ":" name
		}
		key = linter " " place
		found[key] += number
		said[key] = said[key] $0 "\n"
		next
	}
	NF { print; failed = 1 } # the linter could not run
	END {
		for (key in found) {
			if (found[key] > allowed[key] + 0) {
				printf "%s", said[key]
				if (key in allowed) printf "ratchet: %s: %d, at most %d\n", key, found[key], allowed[key]
				failed = 1
			}
		}
		for (key in allowed) {
			n = (key in found) ? found[key] : 0
			if (n < allowed[key] && mode != "lower") {
				printf "ratchet: %s: %d, no longer %d: run make ratchet\n", key, n, allowed[key]
				failed = 1
			}
			if (n > 0) print key, (n < allowed[key]) ? n : allowed[key] >out
		}
		exit failed
	}' "$file" - || exit 1
if [ "$mode" = lower ]; then
	{ grep '^#' "$file" || true; LC_ALL=C sort "$new"; } >"$file.new"
	mv "$file.new" "$file"
fi
