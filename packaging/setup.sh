#!/bin/bash
# Installs what building bawab needs and this machine lacks, for `make setup`:
#
#   packaging/setup.sh FOLDER
#
# FOLDER takes the TFLite runtime (lib/), the Go toolchain (go/, only where the
# machine's own is too old) and the archives they came in, which are fetched
# once. What is not a Debian package is checked against the SHA-256 below.
set -euo pipefail

folder=${1:?usage: packaging/setup.sh FOLDER}
mkdir -p "$folder"
log=$folder/apt.log
# shellcheck source=packaging/debian.sh
. "$(dirname "$0")/debian.sh"

go_version=1.26.10
go_min=$(sed -n 's/^go //p' "$(dirname "$0")/../go.mod")

case $(uname -m) in
x86_64)
	go_arch=amd64
	go_sha256=f64ecb0807852be2c98899561c45288a9ad57f4e88f3cd002ffabeccbd03bfe1
	;;
aarch64)
	go_arch=arm64
	go_sha256=195f18be92553fb272b9c4f9fca6e67b6a04d8831bf6c4b918ac70982fadb444
	;;
*)
	fail "bawab runs on x86-64 and arm64, this machine is $(uname -m)"
	;;
esac

# new_enough reports whether the go on the path can build this module. It asks
# outside of it, because an old go refuses to speak in a newer module.
new_enough() {
	local version
	version=$(cd / && go version 2>/dev/null | sed -n 's/^go version go\([0-9.]*\).*/\1/p') || return 1
	[ -n "$version" ] && [ "$(printf '%s\n' "$go_min" "$version" | sort -V | head -n 1)" = "$go_min" ]
}

# toolchain puts a Go toolchain into FOLDER/go. An older go fetches it as a
# module; modules carry no execute bits and no nested go.mod files, so both are
# put back, as the go command does for toolchains it fetches for itself.
toolchain() {
	local module="golang.org/toolchain@v0.0.1-go$go_version.linux-$go_arch"
	local zip="$folder/go$go_version.zip" fresh="$folder/go.new"
	if [ ! -f "$zip" ]; then
		command -v go >/dev/null || need golang-go
		say "fetching Go $go_version"
		local cached
		cached=$(cd / && GOTOOLCHAIN=local GOFLAGS='' go mod download -json "$module" |
			sed -n 's/^\t"Zip": "\(.*\)",$/\1/p')
		cp "$cached" "$zip.new"
		check "$zip.new" "$go_sha256"
		mv "$zip.new" "$zip"
	fi
	check "$zip" "$go_sha256"
	rm -rf "$fresh" "$folder/go"
	mkdir "$fresh"
	unzip -q "$zip" -d "$fresh"
	mv "$fresh/$module" "$folder/go"
	rm -rf "$fresh"
	chmod -R u+w "$folder/go"
	chmod +x "$folder"/go/bin/* "$folder"/go/pkg/tool/*/*
	find "$folder/go/src" -name _go.mod -execdir cp {} go.mod \;
	say "Go: $(cd / && "$folder/go/bin/go" version)"
}

need ca-certificates curl etcd-server g++ iproute2 libopencv-dev patchelf unzip
new_enough || toolchain
"$(dirname "$0")/tflite.sh" "$folder" "$go_arch"
