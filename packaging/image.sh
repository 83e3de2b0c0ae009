#!/bin/bash
# Makes a container image (OCI archive) of the package in DIST, from Debian 12,
# without a daemon:
#
#   packaging/image.sh DIST
#
# Needs root. The image runs as the account bawab, listens on 8443 with TLS and
# keeps its data in /var/lib/bawab, which is to be a volume.
set -euo pipefail

dist=$(realpath "${1:?usage: packaging/image.sh DIST}")
cd "$(dirname "$0")/.."
log=$dist/apt.log
# shellcheck source=packaging/debian.sh
. packaging/debian.sh

[ "$(id -u)" = 0 ] || fail "making an image needs root"
need mmdebstrap buildah
arch=$(dpkg --print-architecture)
shopt -s nullglob
debs=("$dist"/bawab_*_"$arch".deb)
[ ${#debs[@]} = 1 ] || fail "not one package for $arch in $dist" "make packages"
version=$(dpkg-deb -f "${debs[0]}" Version)
scratch=$(mktemp -d)
storage=(--root "$scratch/storage" --runroot "$scratch/run" --storage-driver vfs)
trap 'chmod -R u+w "$scratch" && rm -rf "$scratch"' EXIT

say "Debian 12 with bawab $version"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
# `container` keeps the first key out of the logs of whoever runs it. The package's own scripts make the account. What only an installer needs goes.
# shellcheck disable=SC2016 # the hooks expand $1 themselves
mmdebstrap --variant=minbase --quiet --mode=root \
	--dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
	--customize-hook="copy-in ${debs[0]} /tmp" \
	--customize-hook='chroot "$1" sh -c "apt-get install -y -q --no-install-recommends /tmp/bawab_*.deb && rm /tmp/bawab_*.deb"' \
	--customize-hook='rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/* "$1"/var/log/*' \
	bookworm "$scratch/root.tar" >"$log" 2>&1 || {
	tail -n 20 "$log" >&2
	fail "mmdebstrap failed" "the whole log is in $log"
}
container=$(buildah "${storage[@]}" from scratch)
buildah "${storage[@]}" add --quiet "$container" "$scratch/root.tar" / >/dev/null
buildah "${storage[@]}" config --user bawab --port 8443 --volume /var/lib/bawab --workingdir /var/lib/bawab --stop-signal SIGTERM \
	--env BAWAB_DATA=/var/lib/bawab --env container=oci --entrypoint '["/usr/bin/bawab"]' --cmd 'serve --listen 0.0.0.0:8443' \
	--label org.opencontainers.image.title=bawab --label org.opencontainers.image.version="$version" \
	--label org.opencontainers.image.licenses=Apache-2.0 "$container"
rm -f "$dist"/bawab-*.oci.tar
buildah "${storage[@]}" commit --quiet --timestamp "$SOURCE_DATE_EPOCH" --format oci "$container" "oci-archive:$dist/bawab-$arch.oci.tar:bawab:${version//[~+]/-}" >/dev/null
say "$dist/bawab-$arch.oci.tar: $(stat -c %s "$dist/bawab-$arch.oci.tar" | awk '{ printf "%.0f", $1 / 1e6 }') MB"
