#!/bin/bash
# Puts the TFLite runtime of one architecture into FOLDER/lib:
#
#   packaging/tflite.sh FOLDER ARCH
#
# It comes once, in an archive that is checked against the SHA-256 below.
set -euo pipefail

folder=${1:?usage: packaging/tflite.sh FOLDER ARCH}
mkdir -p "$folder/lib"
log=$folder/apt.log
# shellcheck source=packaging/debian.sh
. "$(dirname "$0")/debian.sh"

version=2.18.0-1.5.11
case ${2:?usage: packaging/tflite.sh FOLDER ARCH} in
amd64)
	platform=linux-x86_64
	sha256=09e8a949a86745d372a5cc40b4937d9c113356bd92b5655e8a463682471b1354
	;;
arm64)
	platform=linux-arm64
	sha256=533321eda09e42358b35cbde77d768bf01ac6476a7c2f8bed34afb4968d2340b
	;;
*)
	fail "bawab runs on amd64 and arm64, not on $2"
	;;
esac

artifact=tensorflow-lite-$version-$platform.jar
jar=$folder/$artifact library=$folder/lib/libtensorflowlite_c.so
if [ -f "$jar" ] && [ "$library" -nt "$jar" ]; then
	exit
fi
if [ ! -f "$jar" ]; then
	command -v mvn >/dev/null || need maven
	say "fetching TensorFlow Lite $version ($platform)"
	# Maven ends with terminal escapes even where it is told to use no colours.
	mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:2.8:copy \
		-Dartifact="org.bytedeco:tensorflow-lite:$version:jar:$platform" -DoutputDirectory="$folder" 2>&1 | sed 's/\x1b\[[0-9;]*m//g'
fi
check "$jar" "$sha256"
need patchelf unzip
# The library asks for a folder of the machine that built it (RUNPATH).
unzip -p "$jar" "org/bytedeco/tensorflowlite/$platform/libjnitensorflowlite.so" >"$library.new"
patchelf --remove-rpath "$library.new"
chmod 0755 "$library.new"
mv "$library.new" "$library"
say "TensorFlow Lite $version: $library"
