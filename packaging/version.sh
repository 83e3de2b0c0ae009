#!/bin/bash
# Prints the version in a form that deb and rpm both sort rightly: what the file
# VERSION says for the commit that has its tag (v1.2.3), and before that tag
# 1.2.3~ with the time and the name of the commit, which sorts below it. A tree
# with changes that no commit holds ends in +dirty. VERSION overrides it all.
set -euo pipefail

cd "$(dirname "$0")/.."
release=$(<VERSION)
if [ -n "${VERSION:-}" ]; then
	echo "$VERSION"
	exit
fi
commit=$(TZ=UTC git log -1 --date=format-local:%Y%m%d.%H%M%S --format='~%cd.g%h' 2>/dev/null) || commit='~unknown'
[ -z "$(git tag --points-at HEAD --list "v$release" 2>/dev/null)" ] || commit=
[ -z "$(git status --porcelain --untracked-files=no 2>/dev/null)" ] || commit+=+dirty
echo "$release$commit"
