#!/bin/bash
# Fails when the program calls something that an advisory names:
#
#   packaging/vulncheck.sh FOLDER
#
# FOLDER takes the checker and the advisories, which are a Go module, so that
# no other connection is needed. Without a network the copy in FOLDER is used;
# an old copy, or none, is a warning and no failure: it says nothing about the
# program.
set -euo pipefail

folder=${1:?usage: packaging/vulncheck.sh FOLDER}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
checker=golang.org/x/vuln/cmd/govulncheck@v1.9.0
advisories=golang.org/x/vulndb
stale_days=30

warn() { echo "vulncheck: warning: $*" >&2; }

# Nothing here is built with the flags of the program.
alone() { (cd "$folder" && env -u GOFLAGS CGO_ENABLED=0 GOBIN="$folder" timeout 900 "$@"); }

if [ ! -x "$folder/govulncheck" ] && ! alone go install "$checker" >"$folder/log" 2>&1; then
	warn "the checker cannot be fetched; nothing was checked"
	exit 0
fi

# The module holds one file for each advisory; the checker wants an index of
# them beside it.
fetched=$(alone go mod download -json "$advisories@latest" 2>/dev/null | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p') || fetched=
if [ -n "$fetched" ] && [ "$(cat "$folder/source" 2>/dev/null)" != "$fetched" ]; then
	rm -rf "$folder/db.new"
	if (cd "$fetched" && env -u GOFLAGS CGO_ENABLED=0 GOFLAGS=-mod=mod timeout 900 go run ./cmd/indexdb -vulns data/osv -out "$folder/db.new") >"$folder/log" 2>&1; then
		rm -rf "$folder/db"
		mv "$folder/db.new" "$folder/db"
		echo "$fetched" >"$folder/source"
	fi
fi
if [ ! -d "$folder/db" ]; then
	warn "there are no advisories; nothing was checked"
	exit 0
fi
made=$(sed -n 's/.*-\([0-9]\{8\}\)[0-9]\{6\}-.*/\1/p' "$folder/source")
if [ "$(date -d "$made" +%s)" -lt "$(date -d "-$stale_days days" +%s)" ]; then
	warn "the advisories are of $made"
fi
exec "$folder/govulncheck" -db "file://$folder/db" ./...
