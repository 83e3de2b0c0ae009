#!/bin/bash
# Builds the bawab that the packages ship, in the tree in which they install it:
#
#   packaging/release.sh FOLDER ARCH TREE
#
# FOLDER is where native parts are kept (.native), ARCH amd64 or arm64. TREE
# gets usr/bin/bawab and usr/lib/bawab. One binary for all distributions: OpenCV
# and the C++ library are linked in, TFLite stands beside it. packaging/symbols.sh
# says whether that came true.
set -euo pipefail

folder=$(realpath -m "${1:?usage: packaging/release.sh FOLDER ARCH TREE}")
arch=${2:?usage: packaging/release.sh FOLDER ARCH TREE}
tree=$(realpath -m "${3:?usage: packaging/release.sh FOLDER ARCH TREE}")
cd "$(dirname "$0")/.."
log=$folder/$arch/apt.log
# shellcheck source=packaging/debian.sh
. packaging/debian.sh

packaging/tflite.sh "$folder/$arch" "$arch"
opencv=$(packaging/static.sh "$folder" "$arch")
need binutils
tools=
if [ "$arch" != "$(dpkg --print-architecture)" ]; then
	case $arch in
	amd64) tools=x86_64-linux-gnu- ;;
	arm64) tools=aarch64-linux-gnu- ;;
	esac
fi

# The linker gets a stand-in of the runtime that has its functions and needs
# nothing: of the real one it would keep whatever the C++ library in there asks
# for, megabytes of it and symbols of a younger C library.
nm -D --defined-only "$folder/$arch/lib/libtensorflowlite_c.so" |
	awk '$2 == "T" && $3 ~ /^(TfLite|_ZN6tflite)[A-Za-z0-9_]*$/ { print "void " $3 "(void) {}" }' |
	"${tools}gcc" -shared -fPIC -nostdlib -x c - -o "$opencv/lib/libtensorflowlite_c.so" -Wl,-soname,libtensorflowlite_c.so

# Go's own checks keep its code in bounds; the C and C++ beside it get what the
# compiler has: a program at a random address, read-only tables bound at the
# start, guarded stacks, checked copies.
hard="-fstack-protector-strong -D_FORTIFY_SOURCE=2"
export GOOS=linux GOARCH=$arch CGO_ENABLED=1 CC=${tools}gcc CXX=${tools}g++
export CGO_CFLAGS="-O2 $hard -ffunction-sections -fdata-sections -I$PWD/inference/include"
export CGO_CXXFLAGS="-O2 $hard -std=c++11 -ffunction-sections -fdata-sections -I/usr/include/opencv4"
# What gocv calls of other modules stands in sections that --gc-sections drops
# before anybody looks for it. --exclude-libs hides what was linked in: the
# runtime beside it brings a C++ library of its own, and neither may take the
# other's.
export CGO_LDFLAGS="-L$opencv/lib -L$folder/$arch/lib -Wl,--as-needed -Wl,--gc-sections -Wl,--exclude-libs,ALL -Wl,-z,relro,-z,now \
-lopencv_videoio -lopencv_imgproc -lopencv_core"
mkdir -p "$tree/usr/bin" "$tree/usr/lib/bawab"

# A program in which any template may call any method by its name keeps every
# exported method of everything that it is made of: 5 MB that nobody calls. The
# only one is text/template, which the service library writes unit files with,
# and no unit file calls a method: here templates know fields and functions
# alone.
overlay=$(mktemp -d)
trap 'rm -rf "$overlay"' EXIT
source=$(go env GOROOT)/src/text/template/exec.go
sed 's/if method := ptr\.MethodByName(fieldName); method\.IsValid() {/if _, method := ptr, (reflect.Value{}); method.IsValid() {/' "$source" >"$overlay/exec.go"
[ "$(diff "$source" "$overlay/exec.go" | grep -c '^>')" = 1 ] || fail "text/template of $(go env GOVERSION) calls methods in another way" "see what packaging/release.sh changes in it"
printf '{"Replace": {"%s": "%s"}}' "$source" "$overlay/exec.go" >"$overlay/overlay.json"
export GOFLAGS="-tags=customenv -buildvcs=false -trimpath -overlay=$overlay/overlay.json"

# The compiler for arm64 joins a product and a sum into one rounding where it
# can; on amd64 there are two. Both are to read the same.
rounding=()
[ "$arch" = amd64 ] || rounding=(-gcflags=github.com/bawab/bawab/...=-d=fmahash=qn -gcflags=math=-d=fmahash=qn)
# -static-libgcc is left out: it wants GLIBC_2.35.
go build -p "${JOBS:-$(nproc)}" "${rounding[@]}" -buildmode=pie -o "$tree/usr/bin/bawab" \
	-ldflags "-s -w -X main.version=$(packaging/version.sh) -r \$ORIGIN/../lib/bawab -linkmode=external -extldflags '-static-libstdc++'" ./cmd/bawab
"${tools}strip" --strip-unneeded -o "$tree/usr/lib/bawab/libtensorflowlite_c.so" "$folder/$arch/lib/libtensorflowlite_c.so"
chmod 0755 "$tree/usr/bin/bawab"
chmod 0644 "$tree/usr/lib/bawab/libtensorflowlite_c.so"
