#!/bin/bash
# Installs, uses, upgrades, rolls back, removes and purges the packages of DIST
# in throw-away Debian 12 and 13, without any network:
#
#   packaging/packagetest.sh FOLDER DIST
#
# FOLDER keeps the bare root file systems and the packager. Needs root. The
# packages are those of this machine's architecture, and two that are made here
# out of the same tree: one before it, and broken ones after it. Fedora and EL
# are not tried: the rpm is installed by rpm into Debian, past its dependencies.
set -euo pipefail

folder=$(realpath "${1:?usage: packaging/packagetest.sh FOLDER DIST}")
dist=$(realpath "${2:?usage: packaging/packagetest.sh FOLDER DIST}")
cd "$(dirname "$0")/.."
log=$folder/packagetest.log
# shellcheck source=packaging/debian.sh
. packaging/debian.sh

[ "$(id -u)" = 0 ] || fail "installing packages needs root"
need mmdebstrap rpm curl iproute2 util-linux
arch=$(dpkg --print-architecture)
tree=$dist/tree/$arch
[ -x "$tree/root/usr/bin/bawab" ] || fail "no packages in $dist" "make packages"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/packages"
NFPM=$(echo "$folder"/nfpm-*/nfpm)
export NFPM

# variant makes deb and rpm of another version, whose program is $2 if given.
variant() {
	local copy=$scratch/tree
	rm -rf "$copy"
	cp -a "$tree" "$copy"
	[ -z "${2:-}" ] || install -m 0755 "$2" "$copy/root/usr/bin/bawab"
	packaging/pack.sh "$copy" "$arch" "$1" "$scratch/packages" deb rpm >/dev/null
}

# A release that dies at its start, and one that spoils the database before.
printf '#!/bin/sh\necho "bawab: error: broken on purpose" >&2\nexit 1\n' >"$scratch/dies"
cat >"$scratch/spoils" <<'SPOILS'
#!/bin/sh
for folder in /var/lib/bawab "$5"; do
	[ ! -e "$folder/bawab.db" ] || echo spoilt >"$folder/bawab.db"
done
exit 1
SPOILS
variant 0~before
variant 9998 "$scratch/dies"
variant 9999 "$scratch/spoils"
cp "$dist"/bawab_*_"$arch".deb "$scratch/packages/now.deb"
cp "$dist"/bawab-*."$(uname -m)".rpm "$scratch/packages/now.rpm"

# base keeps the bare root file system of a Debian.
base() {
	local suite=$1 archive=$folder/root-$1.tar
	shift
	if [ ! -f "$archive" ]; then
		say "fetching a bare Debian: $suite"
		mmdebstrap --variant=minbase "$@" --format=tar "$suite" "$archive.new" >"$log" 2>&1 || {
			tail -n 20 "$log" >&2
			fail "mmdebstrap failed" "the whole log is in $log"
		}
		mv "$archive.new" "$archive"
	fi
	mkdir "$scratch/$suite"
	tar -xf "$archive" -C "$scratch/$suite"
	local systemctl=$scratch/$suite/usr/bin/systemctl
	[ ! -e "$systemctl" ] || mv "$systemctl" "$systemctl.real"
	install -m 0755 packaging/testdata/systemctl "$systemctl"
	mkdir -p "$scratch/$suite/packages"
	cp "$scratch/packages"/* "$scratch/$suite/packages/"
}

# Debian 12 has systemd's tools and Debian 13 here has not: both ways of making
# the account are taken.
for suite in bookworm trixie; do
	if [ $suite = bookworm ]; then base $suite --include=systemd; else base $suite; fi
	for format in deb rpm; do
		[ "$format $suite" != "rpm trixie" ] || continue
		rm -rf "$scratch/root"
		cp -a "$scratch/$suite" "$scratch/root"
		say "$format in $suite"
		unshare --mount --pid --net --ipc --uts --fork --kill-child \
			packaging/packagetest_inside.sh "$format" "$scratch/root" "$PWD/models/samples" || fail "$format in $suite failed"
	done
done
say "all package tests passed"
