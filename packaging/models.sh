#!/bin/bash
# Trains every model again from nothing and writes them, with their manifest,
# into models/. For `make models`.
#
#   MINUTES=100 packaging/models.sh
#
# MINUTES is what each training may take, PAGES how many pages the detector sees
# (2200). Pages, checkpoints and data lie in
# BAWAB_TRAINING (~/.cache/bawab-training): a second call goes on where the
# first was stopped; remove the folder to begin anew. Where ../shared/data lies
# beside the repository, its faces are the portraits of the drawn pages;
# elsewhere the pages have none.
set -euo pipefail

cd "$(dirname "$0")/.."
work=${BAWAB_TRAINING:-${XDG_CACHE_HOME:-$HOME/.cache}/bawab-training}
minutes=${MINUTES:-100}
venv=$PWD/.venv-training
pages=${PAGES:-2200} seed=1
data=$PWD/../shared/data
mkdir -p "$work"
export TF_CPP_MIN_LOG_LEVEL=2 # the converter says thousands of lines
log=$work/apt.log
# shellcheck source=packaging/debian.sh
. packaging/debian.sh

need python3 python3-venv libfribidi0 fonts-ocr-b fonts-dejavu-core fonts-dejavu-extra fonts-noto-core fonts-noto-extra \
	fonts-noto-cjk fonts-crosextra-carlito fonts-liberation fonts-lato fonts-freefont-ttf fonts-kacst \
	fonts-kacst-one fonts-hosny-amiri

# The environment carries the requirements it was made for.
if ! cmp -s models/training/requirements.txt "$venv/requirements.txt"; then
	say "Python environment: $venv"
	python3 -m venv "$venv"
	"$venv/bin/pip" install -q -r models/training/requirements.txt
	cp models/training/requirements.txt "$venv/requirements.txt"
fi

# unpack puts an archive of ../shared/data into the working folder, once.
unpack() {
	local target="$work/data/$(basename "$1" .tar)"
	[ -d "$target" ] && return
	mkdir -p "$target.new"
	tar -xf "$data/$1" -C "$target.new"
	mv "$target.new" "$target"
}

# draw makes the flat pages that the detector's scenes are laid of.
draw() {
	(cd models/training && nice "$venv/bin/python" -c 'import sys
from bawab_training import scenes
scenes.build_pool(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), portraits=sys.argv[4])' \
		"$work/pages" "$pages" "$seed" "$faces")
}

# train calls an entry point of the training package.
train() { (cd models/training && nice "$venv/bin/python" -m "bawab_training.$1" "${@:2}"); }

faces=
if [ -f "$data/faces/utkface-adults-152.tar" ]; then
	unpack faces/utkface-adults-152.tar
	faces=$work/data/utkface-adults-152
fi

say "drawing $pages pages"
draw
say "training the line detector, $minutes minutes"
KERAS_BACKEND=torch train detector train --pool "$work/pages" --out "$work/lines" --minutes "$minutes" --resume
KERAS_BACKEND=tensorflow train detector export --pool "$work/pages" --weights "$work/lines/weights.npz" --out ../lines.tflite
say "training the MRZ recogniser, $minutes minutes"
train recogniser train --out "$work/mrz" --minutes "$minutes" --resume
train recogniser export --out "$work/mrz" --tflite ../mrz.tflite
train manifest
