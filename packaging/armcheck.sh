#!/bin/bash
# Runs the arm64 program of DIST/tree under qemu and compares what it reads in
# the repository's samples with what the amd64 program reads, field by field:
#
#   packaging/armcheck.sh DIST
#
# Values, flags and evidence (places, confidences) must be equal to the last
# digit; ids, which are drawn anew each time, are left out. Nothing less will
# do: a network turns one pixel that was rounded otherwise into another letter.
# A reading takes up to a minute under qemu.
set -euo pipefail

dist=$(realpath "${1:?usage: packaging/armcheck.sh DIST}")
cd "$(dirname "$0")/.."
log=$dist/apt.log
# shellcheck source=packaging/debian.sh
. packaging/debian.sh

export BAWAB_PICTURE_MAX_TIME=10m
need jq qemu-user-static libc6-arm64-cross libgcc-s1-arm64-cross libstdc++6-arm64-cross
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# bawab runs the program of an architecture, on an empty data folder.
bawab() {
	local arch=$1 command=$2
	shift 2
	local program=("$dist/tree/$arch/root/usr/bin/bawab")
	[ "$arch" != arm64 ] || program=(qemu-aarch64-static -L /usr/aarch64-linux-gnu "${program[@]}")
	"${program[@]}" "$command" --data "$scratch/data" "$@"
}

# values prints the members of an answer that do not differ from call to call,
# one to a line.
values() {
	jq -c 'paths(type | . != "object" and . != "array") as $p | select($p[-1] | IN("transaction_id", "request_id") | not) | [$p, getpath($p)]' "$1"
}

bawab arm64 doctor >"$scratch/doctor" || { cat "$scratch/doctor"; fail "bawab doctor fails on arm64"; }
say "arm64: doctor finds $(grep -c '^ok ' "$scratch/doctor") things in order"
bad=0
while read -r picture endpoint; do
	for arch in amd64 arm64; do
		bawab "$arch" scan --evidence --endpoint "$endpoint" "models/samples/$picture" >"$scratch/$arch.json" || bad=1
		values "$scratch/$arch.json" >"$scratch/$arch"
	done
	if [ -s "$scratch/amd64" ] && diff "$scratch/amd64" "$scratch/arm64"; then
		say "arm64: $picture is read as on amd64, $(wc -l <"$scratch/arm64") values"
	else
		say "arm64: $picture differs"
		bad=1
	fi
done <<'PICTURES'
passport.jpg passport
id_front.jpg id/front
id_back.jpg id/back
plate.jpg license_plate
general.jpg general
multi.jpg multi
licences/00.jpg driving_license
PICTURES
[ $bad = 0 ] || fail "arm64 and amd64 differ"
