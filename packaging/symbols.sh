#!/bin/bash
# Examines released programs and libraries with readelf: what they need of the
# machine, and how they are hardened. Prints one line for each and fails when
# one asks for more than Debian 12, Ubuntu 22.04 and EL9 have:
#
#   packaging/symbols.sh usr/bin/bawab usr/lib/bawab/libtensorflowlite_c.so
#
# A file named libtensorflowlite_c.so is the private runtime: it may need the
# C++ library besides, and no hardening is asked of it, because it is built
# elsewhere; every other file is our own program.
set -euo pipefail
export LC_ALL=C

glibc_max=2.34 glibcxx_max=3.4.29 # of EL9, the oldest in both
own='libc\.so\.6|libm\.so\.6|libgcc_s\.so\.1|ld-linux-(x86-64\.so\.2|aarch64\.so\.1)|libtensorflowlite_c\.so'
runtime='libc\.so\.6|libm\.so\.6|libgcc_s\.so\.1|ld-linux-(x86-64\.so\.2|aarch64\.so\.1)|libpthread\.so\.0|libdl\.so\.2|librt\.so\.1|libstdc\+\+\.so\.6'

bad=0
complain() {
	echo "$file: $1" >&2
	bad=1
}

# newest prints the highest version that the file asks of a symbol family, as
# GLIBC, or 0.
newest() { { grep -oE "\b$1_[0-9.]+" <<<"$versions" || echo _0; } | sed 's/.*_//' | sort -V | tail -n 1; }

# above reports whether version $1 is higher than $2.
above() { [ "$(printf '%s\n' "$1" "$2" | sort -V | tail -n 1)" != "$2" ]; }

# hardened checks what makes a program hard to take over.
hardened() {
	local header=$1 segments=$2
	{ grep -q 'Type: *DYN' <<<"$header" && grep -q INTERP <<<"$segments"; } || complain "is not position-independent (PIE)"
	grep -q GNU_RELRO <<<"$segments" || complain "its tables stay writable (no RELRO)"
	grep -qE '\((FLAGS|FLAGS_1)\).*NOW|\(BIND_NOW\)' <<<"$dynamic" || complain "binds symbols lazily (no BIND_NOW)"
}

examine() {
	file=$1
	[ -f "$file" ] || { complain "is not there"; return; }
	local header segments allowed=$own need needed=
	header=$(readelf -hW "$file") segments=$(readelf -lW "$file")
	dynamic=$(readelf -dW "$file") versions=$(readelf -VW "$file")
	if [ "$(basename "$file")" = libtensorflowlite_c.so ]; then
		allowed=$runtime
		! grep -qE 'RUNPATH|RPATH' <<<"$dynamic" || complain "searches folders of its own (RUNPATH)"
	else
		hardened "$header" "$segments"
		# shellcheck disable=SC2016 # the linker's own word
		! grep -E 'RUNPATH|RPATH' <<<"$dynamic" | grep -qvF '[$ORIGIN/../lib/bawab]' || complain "searches other folders than lib/bawab (RUNPATH)"
	fi
	! grep -q TEXTREL <<<"$dynamic" || complain "its code is written to while loading (TEXTREL)"
	grep 'GNU_STACK' <<<"$segments" | grep -q 'RW  ' || complain "its stack is executable (no NX)"
	while read -r need; do
		needed+=" $need"
		grep -qxE "$allowed" <<<"$need" || complain "needs $need"
	done < <(sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p' <<<"$dynamic")
	local glibc glibcxx
	glibc=$(newest GLIBC) glibcxx=$(newest GLIBCXX)
	! above "$glibc" "$glibc_max" || complain "needs GLIBC_$glibc, at most $glibc_max"
	! above "$glibcxx" "$glibcxx_max" || complain "needs GLIBCXX_$glibcxx, at most $glibcxx_max"
	printf '%s: %s, GLIBC_%s, GLIBCXX_%s, needs%s\n' "$file" "$(sed -n 's/ *Machine: *//p' <<<"$header")" "$glibc" "$glibcxx" "$needed"
}

[ $# -gt 0 ] || { echo "usage: packaging/symbols.sh FILE..." >&2; exit 2; }
for name in "$@"; do
	examine "$name"
done
exit $bad
