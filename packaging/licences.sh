#!/bin/bash
# Says under which licences the parts of the released binary stand:
#
#   packaging/licences.sh table          one line for each part: name, version, licence
#   packaging/licences.sh texts NATIVE   all texts; NATIVE holds those of the native libraries
#   packaging/licences.sh networks       what the networks owe to networks of others, and under which licence
#
# The Go modules are asked of the go command, so that the list is never stale. A
# module without a licence file, or under a licence that is not known here to
# allow this use, is an error: look at it before it ships.
set -euo pipefail
export LC_ALL=C

cd "$(dirname "$0")/.."

# native lists the parts that no module file knows. The C++ library is linked in
# under its runtime exception, which asks for nothing.
native() {
	printf '%s\t%s\t%s\n' \
		"Go standard library" "$(go env GOVERSION)" BSD-3-Clause \
		"TensorFlow Lite (with XNNPACK, Eigen and others)" 2.18.0 "Apache-2.0, BSD, MIT, MPL-2.0" \
		OpenCV 4.6.0 Apache-2.0 \
		"Preact with signals (pages)" "11.2.0, 2.11.4" MIT \
		"Lucide (outlines of icons)" 1.62.0 ISC \
		"IBM Plex Sans Arabic (subset, renamed)" 5.3.0 OFL-1.1 \
		"Letters of Arabic words, counted in wordfreq" 3.1.1 CC-BY-SA-4.0 \
		libstdc++ 12 "GPL-3.0-or-later with the GCC Runtime Library Exception"
	inherited | while read -r name; do
		printf '%s\t%s\t%s\n' "$name.tflite, made of weights of others" - "$(kind "packaging/notices/$name.txt" || echo Apache-2.0)"
	done
}

# inherited are the networks that hold weights of others, changed: those with a
# notice of their own.
inherited() {
	local notice name
	for notice in packaging/notices/*.txt; do
		name=$(basename "$notice" .txt)
		[ ! -e "models/$name.tflite" ] || echo "$name"
	done
}

# modules prints name, version and folder of each module in the binary.
modules() {
	go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}}	{{.Version}}	{{.Dir}}{{end}}{{end}}' ./cmd/bawab | sort -u
}

# texts_of lists the licence files of a module folder, with that of FreeType,
# which lies a folder below.
texts_of() {
	find "$1" -maxdepth 1 -type f -iregex '.*/\(licen[cs]e\|copying\|notice\|patents\)[^/]*' | sort
	[ ! -f "$1/licenses/ftl.txt" ] || echo "$1/licenses/ftl.txt"
}

# kind names the licence of a text.
kind() {
	local text
	text=$(tr -s '[:space:]' ' ' <"$1")
	case $text in
	*"GENERAL PUBLIC LICENSE"*"TERMS AND CONDITIONS"*) return 1 ;;
	*"Apache License"*"Version 2.0"*) echo Apache-2.0 ;;
	*"Mozilla Public License"*"2.0"*) echo MPL-2.0 ;;
	*"Permission is hereby granted, free of charge"*) echo MIT ;;
	*"Permission to use, copy, modify, and"*"distribute this software"*) echo ISC ;;
	*"Redistribution and use in source and binary forms"*[Nn]either*name*) echo BSD-3-Clause ;;
	*"Redistribution and use in source and binary forms"*) echo BSD-2-Clause ;;
	*"Creative Commons Attribution 4.0 International Public License"*) echo CC-BY-4.0 ;;
	*"your choice of exactly one"*"FreeType License"*) echo FTL ;; # the other is the GPL
	*"This software is provided 'as-is'"*"must not be misrepresented"*) echo Zlib ;;
	*) return 1 ;;
	esac
}

table() {
	native
	local path version folder file name
	while IFS=$'\t' read -r path version folder; do
		name=
		while read -r file; do
			name=$(kind "$file") && break
		done < <(texts_of "$folder")
		[ -n "$name" ] || { echo "$path $version: no licence that is known to allow its use" >&2; return 1; }
		printf '%s\t%s\t%s\n' "$path" "$version" "$name"
	done < <(modules)
}

# networks prints, network by network, each sentence of its page in models/
# that names a licence: whose weights it began with, and who taught it.
networks() {
	local page name
	for page in models/*.md; do
		name=$(basename "$page" .md)
		[ -e "models/$name.tflite" ] || continue
		grep -v '^[|#]' "$page" | tr '\n' ' ' | sed -E -e 's/\*\*//g' -e 's/\. +/.\n/g' |
			{ grep -E 'Apache-2\.0|BSD-[23]-Clause|MPL-2\.0|CC[- ]BY|\bMIT\b' || true; } |
			sed -E "s/^[- ]*(.*[^ ]) *$/$name\t\1/"
	done
}

# title heads the text of one part.
title() { printf '\n%s\n%s\n\n' "$1" "${1//?/=}"; }

texts() {
	local path version folder file sum
	declare -A seen
	seen[$(sha256sum <LICENSE)]="the Apache License 2.0"
	title "Go standard library"
	cat "$(go env GOROOT)/LICENSE"
	title "TensorFlow Lite"
	cat packaging/notices/tflite.txt
	title "Scripts, icons and faces of the pages"
	cat appliance/console/third/*/LICENSE appliance/console/web/fonts/LICENSE
	title "Letters of Arabic words"
	cat packaging/notices/letters.txt
	inherited | while read -r name; do
		title "$name.tflite"
		cat "packaging/notices/$name.txt"
	done
	title "The Apache License 2.0"
	cat LICENSE
	title "The Mozilla Public License 2.0"
	cat /usr/share/common-licenses/MPL-2.0
	for file in "$1"/*; do
		title "$(basename "$file")"
		cat "$file"
	done
	while IFS=$'\t' read -r path version folder; do
		title "$path $version"
		while read -r file; do
			sum=$(sha256sum <"$file")
			if [ -n "${seen[$sum]:-}" ]; then
				echo "$(basename "$file"): the same text as under ${seen[$sum]}"
				continue
			fi
			seen[$sum]=$path
			cat "$file"
		done < <(texts_of "$folder")
	done < <(modules)
}

case ${1:-} in
table) table ;;
networks) networks ;;
texts) texts "${2:?usage: packaging/licences.sh texts NATIVE}" ;;
*)
	echo "usage: packaging/licences.sh table|texts NATIVE|networks" >&2
	exit 2
	;;
esac
