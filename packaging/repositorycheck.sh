#!/bin/bash
# Takes the package out of a repository with apt and with dnf, as an installer
# does, and shows that neither takes it once a byte was changed or from another
# key:
#
#   packaging/repositorycheck.sh REPOSITORY
set -euo pipefail

repository=$(realpath "${1:?usage: packaging/repositorycheck.sh REPOSITORY}")
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
log=$scratch/apt.log
# shellcheck source=packaging/debian.sh
. packaging/debian.sh
need apt-utils dnf dnf-plugins-core gnupg rpm
arch=$(dpkg --print-architecture)

# by_apt fetches the package of a repository with apt, into an empty folder.
by_apt() {
	local from=$1 key=$2 root=$scratch/apt
	rm -rf "$root"
	mkdir -p "$root"/{lists,cache/archives}/partial "$root/out"
	: >"$root/status"
	sed -e "s#@URL@#file://$from#" -e "s#/etc/apt/keyrings/bawab.asc#$key#" "$from/bawab.sources" >"$root/bawab.sources"
	local apt=(apt-get -qq -o Dir::State="$root" -o Dir::State::status="$root/status" -o Dir::State::lists="$root/lists"
		-o Dir::Cache="$root/cache" -o Dir::Etc::sourcelist="$root/bawab.sources" -o Dir::Etc::sourceparts=/dev/null
		-o APT::Architecture="$arch" -o APT::Architectures="$arch" -o APT::Sandbox::User=root -o APT::Update::Error-Mode=any)
	(cd "$root/out" && "${apt[@]}" update && "${apt[@]}" download bawab && ls ./*.deb) >"$scratch/said" 2>&1
}

# by_dnf does the same with dnf, which looks at the signatures of index and package.
by_dnf() {
	local from=$1 key=$2 root=$scratch/dnf
	rm -rf "$root"
	mkdir -p "$root/repos" "$root/out"
	rpmkeys --root "$root" --import "$key"
	sed -e "s#^gpgkey=.*#gpgkey=file://$key#" -e "s#@URL@#file://$from#" "$from/bawab.repo" >"$root/repos/bawab.repo"
	dnf -y --setopt=reposdir="$root/repos" --setopt=cachedir="$root/cache" --setopt=persistdir="$root/persist" --setopt=logdir="$root" \
		--installroot "$root" --releasever=9 --forcearch="$(uname -m)" \
		reposync --repoid=bawab --gpgcheck --download-path="$root/out" >"$scratch/said" 2>&1 || return
	find "$root/out" -name '*.rpm' | grep . >>"$scratch/said"
}

# refuses runs one that must fail.
refuses() {
	local what=$1
	shift
	! "$@" || fail "$what was taken" "$(cat "$scratch/said")"
	say "refused: $what"
}

for take in by_apt by_dnf; do
	$take "$repository" "$repository/bawab.asc" || fail "$take does not take the package" "$(cat "$scratch/said")"
	say "$take: $(basename "$(grep -oE '[^ /]*bawab[^ /]*\.(deb|rpm)' "$scratch/said" | head -1)")"
done
mkdir -m 0700 "$scratch/other"
GNUPGHOME=$scratch/other gpg --batch --quiet --passphrase '' --quick-generate-key other rsa3072 sign 1d 2>/dev/null
GNUPGHOME=$scratch/other gpg --batch --armor --export other >"$scratch/other.asc"
GNUPGHOME=$scratch/other gpgconf --kill gpg-agent
refuses "a repository of another key, by apt" by_apt "$repository" "$scratch/other.asc"
refuses "a repository of another key, by dnf" by_dnf "$repository" "$scratch/other.asc"
cp -a "$repository" "$scratch/altered"
for package in "$scratch"/altered/apt/pool/main/b/bawab/*.deb "$scratch"/altered/rpm/*/*.rpm; do
	printf 'x' | dd of="$package" bs=1 seek=100000 conv=notrunc status=none
done
refuses "an altered deb" by_apt "$scratch/altered" "$repository/bawab.asc"
refuses "an altered rpm" by_dnf "$scratch/altered" "$repository/bawab.asc"
sed -i 's/^Version: .*/Version: 99/' "$scratch"/altered/apt/dists/stable/main/binary-*/Packages
refuses "an altered index" by_apt "$scratch/altered" "$repository/bawab.asc"
