#!/bin/bash
# Prints the version of a release in a form that deb and rpm both sort rightly:
# 1.2.3 for a tag v1.2.3, 1.2.3+5.gabc1234 for five commits after it, and before
# the first tag 0+ the time of the commit. VERSION overrides it.
set -euo pipefail

cd "$(dirname "$0")/.."
if [ -n "${VERSION:-}" ]; then
	echo "$VERSION"
elif tag=$(git describe --tags --match 'v[0-9]*' 2>/dev/null); then
	echo "$tag" | sed -E 's/^v//; s/-([0-9]+)-(g[0-9a-f]+)$/+\1.\2/; s/-/~/g'
else
	TZ=UTC git log -1 --date=format-local:%Y%m%d.%H%M%S --format=0+%cd.g%h
fi
