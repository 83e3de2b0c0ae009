#!/bin/bash
# Builds the packages of a commit a second time, elsewhere and under other
# circumstances (folder, home, time zone, locale, umask, empty build cache), and
# compares them byte for byte with those of DIST:
#
#   packaging/reproduce.sh FOLDER DIST
#
# FOLDER keeps the native parts, which are fetched by their checksums.
set -euo pipefail

folder=$(realpath "${1:?usage: packaging/reproduce.sh FOLDER DIST}")
dist=$(realpath "${2:?usage: packaging/reproduce.sh FOLDER DIST}")
cd "$(dirname "$0")/.."
log=$dist/apt.log
# shellcheck source=packaging/debian.sh
. packaging/debian.sh

[ -f "$dist/SHA256SUMS" ] || fail "no packages in $dist" "make packages"
[ -z "$(git status --porcelain)" ] || fail "the tree has changes that no commit holds" "commit them, then make packages reproduce"
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
git clone --quiet --no-hardlinks . "$scratch/another-place"
mkdir "$scratch/home"
modules=$(go env GOMODCACHE)
(
	cd "$scratch/another-place"
	umask 0027
	export HOME=$scratch/home TZ=Pacific/Apia LC_ALL=C.UTF-8 GOCACHE=$scratch/cache GOMODCACHE=$modules
	packaging/packages.sh "$folder" "$scratch/dist"
)
cd "$scratch/dist"
diff "$dist/SHA256SUMS" SHA256SUMS || fail "the second build differs" "diffoscope tells where"
say "built twice, equal byte for byte: $(wc -l <SHA256SUMS) files"
