#!/bin/bash
# Makes the key that signs releases, once, and prints its fingerprint:
#
#   packaging/signingkey.sh KEYS
#
# KEYS is a folder of mode 0700 outside the source tree; whoever has it can
# release. It gets a GnuPG home, and beside it bawab.asc, the public key that
# installers trust. RSA, because the rpm of EL 8 knows no other. A passphrase is
# taken from the file that PASSPHRASE_FILE names; without one the key has none,
# and the folder is to lie on an encrypted disk.
set -euo pipefail

keys=$(realpath -m "${1:?usage: packaging/signingkey.sh KEYS}")
cd "$(dirname "$0")/.."
log=$keys/apt.log
# shellcheck source=packaging/debian.sh
. packaging/debian.sh

case $keys/ in "$PWD"/*) fail "the signing key must not lie in the source tree" "make signing-key KEYS=~/.bawab-release" ;; esac
mkdir -p "$keys/gnupg"
chmod 0700 "$keys" "$keys/gnupg"
need gnupg
export GNUPGHOME=$keys/gnupg
trap 'gpgconf --kill gpg-agent' EXIT
owner=$(sed -n 's/^maintainer: //p' packaging/nfpm.yaml)
if ! gpg --batch --quiet --list-secret-keys "$owner" >/dev/null 2>&1; then
	gpg --batch --quiet --pinentry-mode loopback --passphrase-file "${PASSPHRASE_FILE:-/dev/null}" \
		--quick-generate-key "$owner" rsa4096 sign 5y
fi
gpg --batch --armor --export "$owner" >"$keys/bawab.asc"
gpg --batch --with-colons --fingerprint "$owner" | awk -F: -v file="$keys/bawab.asc" '$1 == "fpr" { print $10, file; exit }'
