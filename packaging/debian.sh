#!/bin/bash
# What the set-up scripts share: how they speak, check what they fetched and
# install Debian packages. To be sourced; `log` is where apt-get's own words go.
# shellcheck disable=SC2154 # that is set by who sources this

say() { echo "set-up: $*"; }

fail() {
	echo "set-up: error: $1" >&2
	shift
	[ $# = 0 ] || printf 'set-up: hint: %s\n' "$@" >&2
	exit 1
}

# check compares a file with its SHA-256; one that differs is removed, so that
# the next set-up fetches it again.
check() {
	if ! echo "$2  $1" | sha256sum --check --status; then
		rm -f "$1"
		fail "$(basename "$1") is not the file it should be (SHA-256), it was removed" \
			"run make setup again; if it fails again, something on the way changes the download"
	fi
}

# need installs those of its arguments, Debian packages, that are missing.
need() {
	local name as=()
	local wanted=''
	for name in "$@"; do
		dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null | grep -qx installed || wanted+=" $name"
	done
	[ -n "$wanted" ] || return 0
	command -v apt-get >/dev/null || fail "apt-get not found" \
		"the set-up knows Debian 12 and its relatives; install by hand:$wanted"
	if [ "$(id -u)" != 0 ]; then
		command -v sudo >/dev/null || fail "Debian packages are missing, and this is neither root nor a machine with sudo" \
			"as root: apt-get install --no-install-recommends$wanted"
		as=(sudo)
	fi
	say "installing$wanted (a few minutes; log: $log)"
	# shellcheck disable=SC2024,SC2086 # the log is ours; a list of names
	{
		"${as[@]}" apt-get update -q &&
			"${as[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $wanted
	} >"$log" 2>&1 || {
		tail -n 20 "$log" >&2
		fail "apt-get failed" "the whole log is in $log"
	}
}
