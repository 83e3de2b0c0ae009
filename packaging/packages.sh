#!/bin/bash
# Builds the packages, for `make packages`:
#
#   packaging/packages.sh FOLDER DIST
#
# FOLDER is where native parts are kept (.native). DIST gets a deb and an rpm
# for amd64 and arm64, and under tree/ARCH what they are made of. VERSION
# overrides their version, ARCHES the list of architectures, JOBS the number of
# compilers at a time. Equal sources give equal packages.
set -euo pipefail

folder=$(realpath -m "${1:?usage: packaging/packages.sh FOLDER DIST}")
dist=$(realpath -m "${2:?usage: packaging/packages.sh FOLDER DIST}")
cd "$(dirname "$0")/.."
mkdir -p "$folder" "$dist"
log=$folder/apt.log
# shellcheck source=packaging/debian.sh
. packaging/debian.sh

nfpm_version=v2.43.0
nfpm=$folder/nfpm-$nfpm_version/nfpm
VERSION=$(packaging/version.sh)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export VERSION SOURCE_DATE_EPOCH
here=$(dpkg --print-architecture)

# The packager is a Go program: the module proxy brings it, go.sum's database
# checks it, and it is built once.
packager() {
	[ ! -x "$nfpm" ] || return 0
	say "building nfpm $nfpm_version (a minute or more)"
	GOFLAGS='' CGO_ENABLED=0 GOBIN=$(dirname "$nfpm") go install -trimpath -ldflags='-s -w' "github.com/goreleaser/nfpm/v2/cmd/nfpm@$nfpm_version"
}

# papers lays the documents of the packages into a tree.
papers() {
	local tree=$1 opencv=$2 shell
	{
		printf 'bawab, reader of identity documents\n\nCopyright 2026 the bawab authors\n\n'
		printf 'Licensed under the Apache License, Version 2.0. On Debian systems its text is in\n'
		printf '/usr/share/common-licenses/Apache-2.0, elsewhere in /usr/share/licenses/bawab.\n\n'
		printf 'The program contains, and stands beside, these parts. Their texts and holders are\nin third-party.txt.gz in this folder.\n\n'
		cut -f 1-3 <<<"$table" | column -t -s $'\t' | sed 's/^/  /'
		printf '\nIts own networks were trained with, or begin with the weights of, networks of others:\n\n'
		packaging/licences.sh networks | sed 's/\t/: /' | fold -s -w 100 | sed -e 's/ *$//' -e 's/^/  /'
	} >"$tree/copyright"
	packaging/sbom.sh "$VERSION" >"$tree/sbom.cdx.json"
	packaging/licences.sh texts "$opencv/copyright" | gzip -9n >"$tree/third-party.txt.gz"
	{
		printf 'bawab (%s) stable; urgency=medium\n\n' "$VERSION"
		git log -30 --format='%s' | fold -s -w 74 | sed -e 's/ *$//' -e 's/^/    /' | sed '1s/^   /  */'
		printf '\n -- %s  %s\n' "$MAINTAINER" "$(LC_ALL=C TZ=UTC date -R -d "@$SOURCE_DATE_EPOCH")"
	} | gzip -9n >"$tree/changelog.gz"
	mkdir -p "$tree/man" "$tree/completions"
	"$program" manual "$tree/man"
	gzip -9n "$tree"/man/*.1
	for shell in bash zsh fish; do "$program" completion $shell >"$tree/completions/$shell"; done
	mkdir -p "$tree/monitoring"
	cp packaging/monitoring/{prometheus.yml,alerts.yml,dashboard.json} "$tree/monitoring"
	cp LICENSE packaging/bawab.yaml packaging/lintian-overrides systemd/bawab.service systemd/bawab.sysusers "$tree"
}

need gzip bsdextrautils
packager
MAINTAINER=$(sed -n 's/^maintainer: //p' packaging/nfpm.yaml)
table=$(packaging/licences.sh table)
program=$dist/tree/$here/root/usr/bin/bawab
rm -rf "$dist"/*.deb "$dist"/*.rpm "$dist"/*.cdx.json "$dist/tree"
# The machine's own first: man pages and completions come out of that program.
for arch in $here $(tr ' ' '\n' <<<"${ARCHES:-amd64 arm64}" | grep -vx "$here"); do
	root=$dist/tree/$arch/root
	say "bawab $VERSION for $arch"
	packaging/release.sh "$folder" "$arch" "$root"
	packaging/symbols.sh "$root/usr/bin/bawab" "$root/usr/lib/bawab/libtensorflowlite_c.so"
	papers "$root" "$(packaging/static.sh "$folder" "$arch")"
	NFPM=$nfpm packaging/pack.sh "$dist/tree/$arch" "$arch" "$VERSION" "$dist" deb rpm
done
cp "$dist/tree/$here/root/sbom.cdx.json" "$dist/bawab_$VERSION.cdx.json"
(cd "$dist" && sha256sum -- *.deb *.rpm *.cdx.json >SHA256SUMS && ls -l -- *.deb *.rpm)
