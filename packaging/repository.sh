#!/bin/bash
# Puts the packages of DIST into a repository for apt and dnf, plain files that
# any web server or USB stick can carry, and signs it:
#
#   packaging/repository.sh DIST KEYS REPOSITORY
#
# KEYS is the folder of packaging/signingkey.sh. Packages that REPOSITORY has
# already stay, so that a site can go back to an older release.
set -euo pipefail

usage="usage: packaging/repository.sh DIST KEYS REPOSITORY"
dist=$(realpath "${1:?$usage}") keys=$(realpath "${2:?$usage}") repository=$(realpath -m "${3:?$usage}")
cd "$(dirname "$0")/.."
log=$dist/apt.log
# shellcheck source=packaging/debian.sh
. packaging/debian.sh

shopt -s nullglob
debs=("$dist"/*.deb) rpms=("$dist"/*.rpm)
if [ ${#debs[@]} = 0 ] || [ ${#rpms[@]} = 0 ]; then fail "no packages in $dist" "make packages"; fi
[ -d "$keys/gnupg" ] || fail "no signing key in $keys" "make signing-key"
need apt-utils createrepo-c gnupg rpm gzip
export GNUPGHOME=$keys/gnupg
trap 'gpgconf --kill gpg-agent' EXIT
fingerprint=$(gpg --batch --with-colons --list-secret-keys | awk -F: '$1 == "fpr" { print $10; exit }')
sign=(gpg --batch --yes --pinentry-mode loopback --passphrase-file "${PASSPHRASE_FILE:-/dev/null}" --local-user "$fingerprint" --digest-algo SHA256)

apt=$repository/apt pool=pool/main/b/bawab
mkdir -p "$apt/$pool"
cp "${debs[@]}" "$apt/$pool/"
cd "$apt"
for arch in amd64 arm64; do
	mkdir -p "dists/stable/main/binary-$arch"
	apt-ftparchive --arch "$arch" packages "$pool" >"dists/stable/main/binary-$arch/Packages"
	gzip -9nkf "dists/stable/main/binary-$arch/Packages"
done
rm -f dists/stable/{InRelease,Release,Release.gpg}
apt-ftparchive -o APT::FTPArchive::Release::Origin=bawab -o APT::FTPArchive::Release::Label=bawab \
	-o APT::FTPArchive::Release::Suite=stable -o APT::FTPArchive::Release::Codename=stable \
	-o APT::FTPArchive::Release::Architectures="amd64 arm64" -o APT::FTPArchive::Release::Components=main \
	release dists/stable >Release.new
mv Release.new dists/stable/Release
"${sign[@]}" --clearsign --output dists/stable/InRelease dists/stable/Release
"${sign[@]}" --armor --detach-sign --output dists/stable/Release.gpg dists/stable/Release

# rpm keeps its signature inside the package: these are copies, and those of
# DIST stay equal byte for byte whoever builds them.
for package in "${rpms[@]}"; do
	arch=$(rpm -qp --qf '%{ARCH}' "$package" 2>/dev/null)
	mkdir -p "$repository/rpm/$arch"
	cp "$package" "$repository/rpm/$arch/"
	rpmsign --define "_gpg_name $fingerprint" --define "__gpg_sign_cmd $(command -v gpg) ${sign[*]} --no-armor --detach-sign --output %{__signature_filename} %{__plaintext_filename}" \
		--addsign "$repository/rpm/$arch/$(basename "$package")" >/dev/null
done
for arch in "$repository"/rpm/*; do
	createrepo_c --quiet --update "$arch"
	"${sign[@]}" --armor --detach-sign --output "$arch/repodata/repomd.xml.asc" "$arch/repodata/repomd.xml"
done

cd "$repository"
cp "$keys/bawab.asc" "$dist"/*.cdx.json .
cat >bawab.sources <<'SOURCES'
# /etc/apt/sources.list.d/bawab.sources; the key belongs to /etc/apt/keyrings
Types: deb
URIs: @URL@/apt
Suites: stable
Components: main
Signed-By: /etc/apt/keyrings/bawab.asc
SOURCES
cat >bawab.repo <<'REPO'
# /etc/yum.repos.d/bawab.repo
[bawab]
name=bawab
baseurl=@URL@/rpm/$basearch
enabled=1
gpgcheck=1
repo_gpgcheck=1
gpgkey=@URL@/bawab.asc
REPO
find . -type f ! -name 'SHA256SUMS*' -printf '%P\0' | sort -z | xargs -0 sha256sum >SHA256SUMS
"${sign[@]}" --armor --detach-sign --output SHA256SUMS.asc SHA256SUMS
say "$repository is signed by $fingerprint"
