#!/bin/bash
# Makes the part of OpenCV that bawab uses as static libraries, so that the
# released binary needs no distribution's OpenCV:
#
#   packaging/static.sh FOLDER ARCH
#
# ARCH is amd64 or arm64; the other than the machine's own is cross-built. The
# libraries end in FOLDER/ARCH/opencv-VERSION-RECIPE, which is printed, and are
# never made twice: whoever changes the recipe below raises its number.
#
# The arithmetic (core, imgproc) is Debian's own, out of its static libraries,
# so that a release computes the very pixels of `make run`. What ties them to
# other libraries (threads of TBB, LAPACK, OpenGL) and the module that reads
# cameras are compiled here from Debian's source, with V4L2 alone. On arm64 so
# is what resizes and warps pictures: Debian's rounds a product and a sum in one
# step there and in two on amd64, and a network that sees three pixels one level
# brighter finds lines elsewhere. All comes from the machine's own Debian
# mirrors, and apt checks Debian's signatures.
set -euo pipefail

folder=$(realpath -m "${1:?usage: packaging/static.sh FOLDER ARCH}")
arch=${2:?usage: packaging/static.sh FOLDER ARCH}
version=4.6.0+dfsg-12
recipe=3
target=$folder/$arch/opencv-$version-$recipe
work=$folder/static
mkdir -p "$work" "$folder/$arch"
log=$work/$arch.log
# shellcheck source=packaging/debian.sh
. "$(dirname "$0")/debian.sh"

case $arch in
amd64) triplet=x86_64-linux-gnu ;;
arm64) triplet=aarch64-linux-gnu ;;
*) fail "bawab runs on amd64 and arm64, not on $arch" ;;
esac

if [ -f "$target/done" ]; then
	echo "$target"
	exit
fi

# mirror makes a folder in which apt speaks for one architecture with this
# machine's mirrors, sources included, without changing how the machine itself
# is set up. `apt` is then that apt.
mirror() {
	local root=$work/apt-$arch
	mkdir -p "$root"/{lists,cache/archives,etc/trusted}/partial
	: >"$root/status"
	# shellcheck disable=SC2016 # apt-get's own words
	apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' |
		awk '$2 ~ /^bookworm(-|$)/ && $3 == "main" { print "deb", $1, $2, $3; print "deb-src", $1, $2, $3 }' |
		sort -u >"$root/sources.list"
	[ -s "$root/sources.list" ] || fail "this machine has no mirror of Debian 12" "releases are built on Debian 12"
	apt=(apt-get -q -o "Dir::State=$root" -o "Dir::State::status=$root/status" -o "Dir::State::lists=$root/lists"
		-o "Dir::Cache=$root/cache" -o "Dir::Etc::sourcelist=$root/sources.list" -o Dir::Etc::sourceparts=/dev/null
		-o "APT::Architecture=$arch" -o "APT::Architectures=$arch" -o APT::Sandbox::User=root
		-o Acquire::Languages=none -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false)
	"${apt[@]}" update
}

# fetch puts OpenCV's source and the static libraries into place.
fetch() {
	rm -rf "$work/source-$arch" "$target.new"
	mkdir -p "$work/source-$arch" "$target.new"
	cd "$work/source-$arch"
	"${apt[@]}" source --download-only "opencv=$version"
	dpkg-source -x ./*.dsc opencv
	"${apt[@]}" download libopencv-core-dev libopencv-imgproc-dev libjpeg62-turbo-dev zlib1g-dev
	local package
	for package in ./*.deb; do
		dpkg -x "$package" "$target.new/root"
	done
}

# tied are the source files of core, as a pattern, that Debian compiled against
# other libraries.
tied='parallel|hal_internal|opengl|gl_core|lapack|matrix_decomp|matmul'

# fused are those of imgproc that have to round on arm64 as on amd64.
fused='(resize|imgwarp)\.cpp'
[ "$arch" = arm64 ] || fused='none of amd64'

# compile builds those files and videoio with everything left out that would
# bring another library. Every function gets a section of its own, so that the
# linker takes only what is used.
compile() {
	local flags="-O2 -ffp-contract=off -ffunction-sections -fdata-sections -fstack-protector-strong -D_FORTIFY_SOURCE=2 -ffile-prefix-map=$work=."
	local root=$target.new/root/usr cross=()
	if [ "$arch" != "$(dpkg --print-architecture)" ]; then
		cross=(-DCMAKE_SYSTEM_NAME=Linux "-DCMAKE_SYSTEM_PROCESSOR=${triplet%%-*}"
			"-DCMAKE_C_COMPILER=$triplet-gcc" "-DCMAKE_CXX_COMPILER=$triplet-g++")
	fi
	local off=() name
	for name in 1394 ADE AVFOUNDATION CAROTENE CUDA DIRECTX EIGEN FFMPEG GDAL GDCM GPHOTO2 GSTREAMER GTK HALIDE IMGCODEC_HDR \
		IMGCODEC_PFM IMGCODEC_PXM IMGCODEC_SUNRASTER IPP ITT JASPER LAPACK NGRAPH OBSENSOR OPENCL OPENEXR OPENGL OPENJPEG \
		OPENVINO PNG PROTOBUF QT QUIRC TBB TIFF VA VTK WEBP; do
		off+=("-DWITH_$name=OFF")
	done
	for name in JAVA ZLIB JPEG TESTS PERF_TESTS EXAMPLES DOCS PACKAGE opencv_apps opencv_python2 opencv_python3 opencv_java SHARED_LIBS; do
		off+=("-DBUILD_$name=OFF")
	done
	cmake -G Ninja -S opencv -B build -DCMAKE_BUILD_TYPE=Release "${cross[@]}" "${off[@]}" \
		-DBUILD_LIST=core,imgproc,imgcodecs,videoio -DWITH_V4L=ON -DWITH_JPEG=ON -DWITH_PTHREADS_PF=ON -DVIDEOIO_ENABLE_PLUGINS=OFF \
		-DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DENABLE_PRECOMPILED_HEADERS=OFF -DOPENCV_GENERATE_PKGCONFIG=OFF -DENABLE_PIC=ON -DOPENCV_ENABLE_MEMALIGN=ON \
		"-DJPEG_INCLUDE_DIR=$root/include" "-DJPEG_LIBRARY=$root/lib/$triplet/libjpeg.a" \
		"-DZLIB_INCLUDE_DIR=$root/include" "-DZLIB_LIBRARY=$root/lib/$triplet/libz.a" \
		-DCMAKE_C_FLAGS_RELEASE="$flags" -DCMAKE_CXX_FLAGS_RELEASE="$flags" \
		"-DCMAKE_C_FLAGS=-I$root/include/$triplet" "-DCMAKE_CXX_FLAGS=-I$root/include/$triplet" \
		"-DCMAKE_INSTALL_PREFIX=$target.new"
	# Frames are taken as the camera codes them. Without the way to colours that
	# nobody goes, and without files in the place of cameras, no picture is
	# decoded here, and libjpeg and the half of imgproc stay out.
	local videoio=opencv/modules/videoio/src
	sed -i -E 's/^( +)convertToRgb\(currentBuffer\);$/\1CV_Error(Error::StsNotImplemented, "frames come as the camera codes them");/' $videoio/cap_v4l.cpp
	sed -i -E '/DECLARE_STATIC_BACKEND\(CAP_(IMAGES|OPENCV_MJPEG)/d' $videoio/videoio_registry.cpp
	grep -q 'frames come as the camera' $videoio/cap_v4l.cpp
	sed -i -E 's/vfmaq_f(32|64)\((\w+\.val), (\w+\.val), (\w+\.val)\)/vaddq_f\1(\2, vmulq_f\1(\3, \4))/' \
		opencv/modules/core/include/opencv2/core/hal/intrin_neon.hpp
	if grep -n 'vfmaq_f.*val' opencv/modules/core/include/opencv2/core/hal/intrin_neon.hpp; then return 1; fi
	# Through ninja these files would wait for all the others: their own
	# commands are called instead, after the headers that are generated.
	for name in core imgproc; do
		cmake "-DMODULE_NAME=$name" "-DCL_DIR=$PWD/opencv/modules/$name/src/opencl" \
			"-DOUTPUT=$PWD/build/modules/$name/opencl_kernels_$name.cpp" -P opencv/cmake/cl2cpp.cmake
	done
	sed -nE 's#^ *"command": "(.*)",$#\1#p' build/compile_commands.json | sed 's#\\"#"#g' |
		grep -E "modules/videoio/src/|modules/core/(src/)?($tied)|modules/imgproc/src/$fused\$" >commands
	sed -E 's#.* -o ([^ ]+) .*#\1#' commands >objects
	(cd build && xargs dirname <../objects | sort -u | xargs mkdir -p &&
		xargs -d '\n' -n 1 -P "${JOBS:-$(nproc)}" sh -ec <../commands)
}

# hollow takes a library's programs for graphics cards away, half a megabyte of
# text that nobody runs; their tables are named all over the library, and stay
# with nothing in them.
hollow() {
	local member=opencl_kernels_$1.cpp.o library=$target.new/lib/libopencv_$1.a
	ar x "$library" "$member"
	# By way of a file: at the end of a pipe the assembler might empty the member before it is read.
	"$triplet-nm" -g --defined-only "$member" | awk '{ print ".data\n.globl " $3 "\n" $3 ": .zero 64" } END { print ".section .note.GNU-stack,\"\",%progbits" }' >tables
	"$triplet-gcc" -x assembler -c -o "$member" tables
	ar rs "$library" "$member"
	rm "$member" tables
}

# collect puts the libraries together and keeps what their licences say.
collect() {
	mkdir -p "$target.new/lib" "$target.new/copyright"
	local debian=$target.new/root/usr/lib/$triplet library name
	cp "$debian/"{libopencv_core,libopencv_imgproc}.a "$target.new/lib"
	library=$target.new/lib/libopencv_core.a
	while name=$(ar t "$library" | grep -m 1 -E "^($tied)"); do
		ar d "$library" "$name"
	done
	(cd build && grep ^modules/core/ ../objects | xargs ar qs "$library")
	library=$target.new/lib/libopencv_imgproc.a
	while name=$(ar t "$library" | grep -m 1 -E "^$fused\.o"); do
		ar d "$library" "$name"
	done
	(cd build && { grep ^modules/imgproc/ ../objects || true; } | xargs -r ar qs "$library")
	hollow core
	hollow imgproc
	(cd build && grep ^modules/videoio/ ../objects | xargs ar qs "$target.new/lib/libopencv_videoio.a")
	cp opencv/debian/copyright "$target.new/copyright/opencv"
	rm -rf "$target.new/root" "$work/source-$arch" "$target"
	touch "$target.new/done"
	mv "$target.new" "$target"
}

{
	say "building static OpenCV $version for $arch (minutes; log: $log)"
	wanted=(cmake ninja-build g++ dpkg-dev libopencv-dev)
	[ "$arch" = "$(dpkg --print-architecture)" ] || wanted+=("g++-$triplet")
	need "${wanted[@]}"
} >&2
set +e # inside `if` or before `||` the steps would go on after an error
(
	set -e
	mirror
	fetch
	compile
	collect
) >"$log" 2>&1
result=$?
set -e
[ $result = 0 ] || {
	tail -n 20 "$log" >&2
	fail "building OpenCV failed" "the whole log is in $log"
}
echo "$target"
