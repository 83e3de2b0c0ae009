#!/bin/bash
# The static checks, for `make check` (all of them) and for the pre-commit hook
# (the fast part, of what is about to be committed):
#
#   packaging/check.sh FOLDER [fast]
#
# FOLDER takes the checkers in their pinned versions: golangci-lint by the
# module proxy, ruff and mypy by pip, promtool out of Debian's package of
# Prometheus; shellcheck is a Debian package. Every
# check runs, and the exit status is 1 when one of them found something.
set -euo pipefail

folder=$(realpath -m "${1:?usage: packaging/check.sh FOLDER [fast]}")
fast=${2:-}
cd "$(dirname "$0")/.."
mkdir -p "$folder"
# shellcheck disable=SC2034 # debian.sh writes it
log=$folder/apt.log
# shellcheck source=packaging/debian.sh
. packaging/debian.sh

golangci_version=v2.13.2
ruff_version=0.17.6
mypy_version=2.4.1
lint=$folder/golangci-lint-$golangci_version/golangci-lint
python=$folder/check-python
wrong=() skipped=()

# stage runs one check.
stage() {
	local name=$1
	shift
	echo "check: $name"
	"$@" || wrong+=("$name")
}

linter() {
	[ ! -x "$lint" ] || return 0
	say "building golangci-lint $golangci_version (several minutes)"
	GOFLAGS='' CGO_ENABLED=0 GOBIN=$(dirname "$lint") go install -trimpath -ldflags='-s -w' \
		"github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$golangci_version"
}

# pythons installs the checkers of Python.
pythons() {
	local wanted="ruff==$ruff_version mypy==$mypy_version"
	[ "$(cat "$python/wanted" 2>/dev/null)" != "$wanted" ] || return 0
	need python3-venv
	python3 -m venv "$python" || return
	# shellcheck disable=SC2086 # a list
	"$python/bin/pip" install -q $wanted || return
	echo "$wanted" >"$python/wanted"
}

# prometheus takes the checker of alert rules out of Debian's package, whose daemon is not to be started here.
prometheus() {
	[ ! -x "$folder/promtool" ] || return 0
	local unpacked
	unpacked=$(mktemp -d)
	say "fetching promtool (Debian package prometheus)"
	(
		cd "$unpacked" || exit
		apt-get download -q prometheus || { apt-get update -q && apt-get download -q prometheus; } || exit
		dpkg-deb -x prometheus_*.deb . && mv usr/bin/promtool "$folder/"
	) >>"$log" 2>&1
	local failed=$?
	rm -rf "$unpacked"
	return $failed
}

# alerts holds the monitoring kit against Prometheus' own checks, and runs the tests of its rules.
alerts() (
	cd packaging/monitoring || exit
	for words in "check config prometheus.yml" "check rules alerts.yml" "test rules alerts_test.yml"; do
		# shellcheck disable=SC2086 # words of a command
		said=$("$folder/promtool" $words 2>&1) || { echo "$said" && exit 1; }
	done
)

# formatted fails when gofumpt would change one of the files.
formatted() {
	[ $# -gt 0 ] || return 0
	local changes
	if changes=$("$lint" fmt --diff "$@") && [ -z "$changes" ]; then return 0; fi
	echo "$changes"
	echo "check: hint: make format" >&2
	return 1
}

# scripts examines shell scripts; what the packages carry, in the form in which they carry it.
scripts() {
	local script failed=0
	shellcheck -x packaging/*.sh .ci/run packaging/hooks/pre-commit || failed=1
	for script in packaging/scripts/*.*; do
		case $script in
		*.sh) ;;
		*) cat packaging/scripts/upgrade.sh "$script" | shellcheck -s sh - || failed=1 ;;
		esac
	done
	return $failed
}

# findings runs the linters over the program and holds what they find against the ratchet.
findings() { { "$lint" run ./... || true; } | packaging/ratchet.sh packaging/ratchet.txt; }

if [ "$fast" = fast ]; then
	mapfile -t staged < <(git diff --cached --name-only --diff-filter=ACMR)
	only() { printf '%s\n' "${staged[@]}" | grep -E "$1" || true; }
	mapfile -t gofiles < <(only '\.go$')
	mapfile -t shells < <(only '^packaging/[^/]*\.sh$')
	if [ -x "$lint" ]; then stage format formatted "${gofiles[@]}"; fi
	if [ ${#shells[@]} -gt 0 ] && command -v shellcheck >/dev/null; then stage shellcheck shellcheck -x "${shells[@]}"; fi
	if [ -x "$python/bin/ruff" ] && [ -n "$(only '^models/training/.*\.py$')" ]; then
		stage ruff "$python/bin/ruff" check -q --config models/training/pyproject.toml models/training
	fi
else
	need shellcheck
	if linter; then
		stage format formatted .
		stage lint findings
	else
		skipped+=(format lint)
	fi
	stage shellcheck scripts
	if prometheus; then
		stage 'alert rules' alerts
	else
		skipped+=('alert rules')
	fi
	if pythons; then
		stage ruff "$python/bin/ruff" check -q --config models/training/pyproject.toml models/training
		stage mypy "$python/bin/mypy" --no-error-summary --config-file models/training/pyproject.toml --cache-dir "$python/mypy" models/training/bawab_training
		stage 'order of the training modules' "$python/bin/python" models/training/tests/test_imports.py
	else
		skipped+=(ruff mypy)
	fi
fi
# As with advisories, a machine that cannot fetch a checker is told so and goes on: the next one checks.
[ ${#skipped[@]} = 0 ] || echo "check: warning: not checked, since the checker cannot be fetched: ${skipped[*]}" >&2
if [ ${#wrong[@]} -gt 0 ]; then
	echo "check: error: failed: ${wrong[*]}" >&2
	exit 1
fi
echo "check: ok"
