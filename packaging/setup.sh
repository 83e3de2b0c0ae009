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

go_version=1.26.8
go_min=$(sed -n 's/^go //p' "$(dirname "$0")/../go.mod")
tflite_version=2.18.0-1.5.11

case $(uname -m) in
x86_64)
	go_arch=amd64 jar_arch=linux-x86_64
	go_sha256=30c2b1bf7dcc88d3eb0a1364e47ddd9128edb3110a30e8a0ef61cd5856b31de7
	jar_sha256=09e8a949a86745d372a5cc40b4937d9c113356bd92b5655e8a463682471b1354
	;;
aarch64)
	go_arch=arm64 jar_arch=linux-arm64
	go_sha256=02b36b6787b3ac767668f630e2998df45a3b1f9ffee08d1bf3ef6487cd658d99
	jar_sha256=533321eda09e42358b35cbde77d768bf01ac6476a7c2f8bed34afb4968d2340b
	;;
*)
	fail "bawab runs on x86-64 and arm64, this machine is $(uname -m)"
	;;
esac

# check compares a file with its SHA-256; one that differs is removed, so that
# the next set-up fetches it again.
check() {
	if ! echo "$2  $1" | sha256sum --check --status; then
		rm -f "$1"
		fail "$(basename "$1") is not the file it should be (SHA-256), it was removed" \
			"run make setup again; if it fails again, something on the way changes the download"
	fi
}

# new_enough tells whether the go on the path can build this module. It asks
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
		cached=$(cd / && GOTOOLCHAIN=local GOFLAGS= go mod download -json "$module" |
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

# runtime puts the TFLite library into FOLDER/lib. The library asks for a folder
# of the machine that built it (RUNPATH); that is removed.
runtime() {
	local artifact="tensorflow-lite-$tflite_version-$jar_arch.jar"
	local jar="$folder/$artifact" library="$folder/lib/libtensorflowlite_c.so"
	if [ -f "$jar" ] && [ "$library" -nt "$jar" ]; then
		return
	fi
	if [ ! -f "$jar" ]; then
		command -v mvn >/dev/null || need maven
		say "fetching TensorFlow Lite $tflite_version"
		mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:2.8:copy \
			-Dartifact="org.bytedeco:tensorflow-lite:$tflite_version:jar:$jar_arch" \
			-DoutputDirectory="$folder"
	fi
	check "$jar" "$jar_sha256"
	mkdir -p "$folder/lib"
	unzip -p "$jar" "org/bytedeco/tensorflowlite/$jar_arch/libjnitensorflowlite.so" >"$library.new"
	patchelf --remove-rpath "$library.new"
	chmod 0755 "$library.new"
	mv "$library.new" "$library"
	say "TensorFlow Lite $tflite_version: $library"
}

need ca-certificates curl g++ libopencv-dev patchelf unzip
new_enough || toolchain
runtime
