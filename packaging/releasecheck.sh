#!/bin/bash
# Examines the packages in DIST: needs and hardening of what is in them, size,
# and what lintian and rpm say of their form:
#
#   packaging/releasecheck.sh DIST
set -euo pipefail

dist=$(realpath "${1:?usage: packaging/releasecheck.sh DIST}")
cd "$(dirname "$0")/.."
log=$dist/apt.log
# shellcheck source=packaging/debian.sh
. packaging/debian.sh

max_installed=64 # MB, without what other packages bring
need lintian rpm cpio binutils
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# megabytes is the size of all files below a folder, in MB with one decimal.
megabytes() { find "$1" -type f -printf '%s\n' | awk '{ n += $1 } END { printf "%.1f", n / 1e6 }'; }

# contents examines an unpacked package.
contents() {
	packaging/symbols.sh "$1/usr/bin/bawab" "$1/usr/lib/bawab/libtensorflowlite_c.so" | sed "s#$1##"
	local size
	size=$(megabytes "$1")
	say "$2: $(stat -c %s "$dist/$2" | awk '{ printf "%.1f", $1 / 1e6 }') MB, installed $size MB"
	awk "BEGIN { exit !($size <= $max_installed) }" || fail "$2 takes $size MB, at most $max_installed"
	cmp systemd/bawab.service "$1"/*/systemd/system/bawab.service 2>/dev/null ||
		cmp systemd/bawab.service "$1"/usr/lib/systemd/system/bawab.service || fail "$2 has another unit"
}

shopt -s nullglob
debs=("$dist"/*.deb) rpms=("$dist"/*.rpm)
{ [ ${#debs[@]} -gt 0 ] && [ ${#rpms[@]} -gt 0 ]; } || fail "no packages in $dist" "make packages"
for package in "${debs[@]}"; do
	mkdir "$scratch/deb"
	dpkg-deb -x "$package" "$scratch/deb"
	contents "$scratch/deb" "$(basename "$package")"
	rm -r "$scratch/deb"
	lintian --fail-on error,warning --allow-root "$package" || fail "lintian complains about $(basename "$package")"
done
for package in "${rpms[@]}"; do
	rpm -K --nosignature "$package" >/dev/null || fail "$(basename "$package"): digests do not fit"
	mkdir "$scratch/rpm"
	# rpm2cpio complains about every package of nfpm, whose header has the size
	# of the files in the place of the archive's; the digests above say that it
	# is whole. Its names begin at the root, and this machine's is not meant.
	(cd "$scratch/rpm" && { rpm2cpio "$package" || true; } | cpio -idm --quiet --no-absolute-filenames)
	contents "$scratch/rpm" "$(basename "$package")"
	rm -r "$scratch/rpm"
	[ "$(rpm -qpc "$package")" = /etc/bawab/bawab.yaml ] || fail "$(basename "$package"): the configuration is not one"
	! rpm -qp --qf '[%{FILEUSERNAME}:%{FILEGROUPNAME}\n]' "$package" | grep -qvx root:root || fail "$(basename "$package"): files that are not root's"
	for word in NAME VERSION SUMMARY LICENSE DESCRIPTION PACKAGER; do
		[ "$(rpm -qp --qf "%{$word}" "$package")" != "(none)" ] || fail "$(basename "$package"): no $word"
	done
done
