#!/bin/bash
# Runs every fuzz target of the repository, one after the other, for the given
# time each:
#
#   packaging/gofuzz.sh 10s
#
# go test fuzzes one target of one package at a time, so this asks each package
# for its targets first. What a find is shortened for is bounded too, and the
# whole call: a target that hangs on a slow machine fails and does not stand
# for ever.
set -euo pipefail

time=${1:?usage: packaging/gofuzz.sh TIME}
grep -rlE --include='*_test.go' '^func Fuzz[A-Za-z0-9_]+\(' . | xargs -rn1 dirname | sort -u | while read -r package; do
	grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$package"/*_test.go | awk '{print $2}' | while read -r target; do
		echo "fuzzing $package $target"
		timeout 30m go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 10s "$package" </dev/null
	done
done
