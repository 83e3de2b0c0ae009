#!/bin/bash
# Makes packages of a tree that packages.sh has laid out:
#
#   NFPM=PROGRAM packaging/pack.sh TREE ARCH VERSION OUT FORMAT...
set -euo pipefail

usage="usage: packaging/pack.sh TREE ARCH VERSION OUT FORMAT..."
tree=$(realpath "${1:?$usage}") ARCH=${2:?$usage} VERSION=${3:?$usage} out=$(realpath "${4:?$usage}")
shift 4
export ARCH VERSION
cd "$(dirname "$0")"
mkdir -p "$tree/scripts"
for script in scripts/*.*; do
	case $script in
	*.sh) ;;
	*) cat scripts/upgrade.sh "$script" >"$tree/$script" ;;
	esac
done
for format in "$@"; do
	# dpkg knows no field for the licence.
	sed "$([ "$format" != deb ] || echo '/^license:/d')" nfpm.yaml >"$tree/nfpm.yaml"
	(cd "$tree" && "${NFPM:?$usage}" package --config nfpm.yaml --packager "$format" --target "$out")
done
