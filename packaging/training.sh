#!/bin/bash
# The Python environment of models/training, for the scripts that draw or train. To be sourced in the repository's root, after
# debian.sh; sets venv, python and work, the folder of what is drawn and of the checkpoints: BAWAB_TRAINING
# (~/.cache/bawab-training).

work=${BAWAB_TRAINING:-${XDG_CACHE_HOME:-$HOME/.cache}/bawab-training}
venv=$PWD/.venv-training
python=$venv/bin/python
data=$PWD/../shared/data
mkdir -p "$work"
export TF_CPP_MIN_LOG_LEVEL=2 # the converter says thousands of lines
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
# shellcheck disable=SC2034 # debian.sh writes it
log=$work/apt.log

# environment installs the fonts, the word lists and the Python packages that are missing.
environment() {
	local packages
	packages=$(grep -vx npm models/training/apt.txt)
	# npm may have come with Node.js itself, which Debian's package would not stand beside.
	command -v npm >/dev/null || packages+=" npm"
	# shellcheck disable=SC2086 # a list of names
	need python3 python3-venv $packages
	# The environment carries the requirements it was made for.
	if ! cmp -s models/training/requirements.txt "$venv/requirements.txt"; then
		say "Python environment: $venv"
		python3 -m venv "$venv"
		"$venv/bin/pip" install -q -r models/training/requirements.txt
		cp models/training/requirements.txt "$venv/requirements.txt"
	fi
	if ! cmp -s models/training/fonts.txt "$work/fonts.txt"; then
		say "fonts"
		call arabic_fonts install
		cp models/training/fonts.txt "$work/fonts.txt"
	fi
}

# call runs an entry point of the training package by the name of its module, whichever folder that is in.
call() {
	local file
	file=$(cd models/training && echo bawab_training/*/"$1".py)
	file=${file%.py}
	(cd models/training && nice "$python" -m "${file//\//.}" "${@:2}")
}

# unpack puts an archive of ../shared/data into the working folder, once, and prints where.
unpack() {
	local target
	target="$work/data/$(basename "$1" .tar)"
	if [ ! -d "$target" ]; then
		mkdir -p "$target.new"
		tar -xf "$data/$1" -C "$target.new"
		mv "$target.new" "$target"
	fi
	echo "$target"
}

# portraits prints the folder of artificial persons that documents show, made once; nothing where ../shared/data is missing: their
# documents have an empty portrait then.
portraits() {
	[ -f "$data/teachers/teachers.tar" ] || return 0
	local out=$work/portraits
	if [ ! -d "$out" ]; then
		call portraits --faces "$(unpack faces/utkface-adults-152.tar)" --count 120 --seed 20 --out "$out.new" \
			--landmarks "$(find "$(unpack teachers/teachers.tar)" -name face_landmark.tflite)" >&2
		mv "$out.new" "$out"
	fi
	echo "$out"
}
