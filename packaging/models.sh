#!/bin/bash
# Trains models and writes them, with their manifest, into models/. For
# `make models`.
#
#   MODELS="text documents" MINUTES=100 START=shipped packaging/models.sh
#
# MODELS names those to train (all that can be), MINUTES is what each training
# may take, COUNT how many pictures each of their pools has (2200).
# START=shipped goes on from the files in models/ (text, documents and fraud) where
# there is no checkpoint; otherwise a training begins from nothing. What is
# drawn, and the checkpoints, lie in BAWAB_TRAINING (~/.cache/bawab-training): a
# second call goes on where the first was stopped. Plates, faces and landmarks
# need ../shared/data beside the repository and are left out elsewhere; faces and
# landmarks are published weights, converted and not trained. So are both
# embedders and the two of liveness, whose weights must be fetched by hand: models/training.
# After fraud and surroundings their thresholds want calibrating: models/training.
set -euo pipefail

cd "$(dirname "$0")/.."
# shellcheck source=packaging/debian.sh
. packaging/debian.sh
# shellcheck source=packaging/training.sh
. packaging/training.sh

minutes=${MINUTES:-100} count=${COUNT:-2200} start=${START:-nothing}
drawn="lines mrz digits baseline text text_general numbers documents fraud surroundings" learnt="plates faces landmarks"
[ -d "$data" ] || { say "no ../shared/data: $learnt stay as they are"; learnt=; }
environment
faces=$(portraits)

# clock prints the time of day, UTC, so many minutes from now.
clock() { date -u -d "+$minutes min" +%H:%M; }

# from prints the option that begins with a shipped file, if that is wanted.
from() { [ "$start" != shipped ] || echo "--start ../$1.tflite"; }

# once runs a command that makes a folder or file, which is its last argument, unless that is there.
once() {
	local out=${*: -1}
	[ -e "$out" ] && return
	"${@:1:$#-1}" "$out.new"
	mv "$out.new" "$out"
}

train_lines() {
	once call scenes --count "$count" --seed 1 --portraits "$faces" --out "$work/pages"
	call detector train --pool "$work/pages" --out "$work/lines" --minutes "$minutes" --resume
	call detector_report export --pool "$work/pages" --weights "$work/lines/state.pt" --tflite ../lines.tflite
}

train_mrz() {
	call recogniser train --out "$work/mrz" --minutes "$minutes" --resume
	call recogniser export --out "$work/mrz" --tflite ../mrz.tflite
}

train_digits() {
	call digits train --out "$work/digits" --minutes "$minutes" --resume
	call digit_report export --out "$work/digits" --tflite ../digits.tflite
}

# text_pictures draws photographs of documents of which lines are cut.
text_pictures() { once call text_photographs --count "$count" --seed 5 --portraits "$faces" --out "$work/text-photographs"; }

train_baseline() {
	text_pictures
	call baseline train --photographs "$work/text-photographs" --out "$work/baseline" --until "$(clock)" --anneal $((minutes / 4 + 1))
	call baseline export --photographs "$work/text-photographs" --out "$work/baseline" --tflite ../baseline.tflite
}

train_text() {
	text_pictures
	# shellcheck disable=SC2046 # an option or nothing
	call text train --out "$work/text" --until "$(clock)" --anneal $((minutes / 2 + 1)) --photographs "$work/text-photographs" $(from text)
	call text export --out "$work/text" --tflite ../text.tflite
}

# It is the reader of documents, gone on with on lines of general text.
train_text_general() {
	call text train --general --uses 2 --out "$work/text-general" --until "$(clock)" --anneal "$minutes" --peak 6e-4 --start ../text.tflite
	call text export --general --share 0.8 --start ../text.tflite --out "$work/text-general" --tflite ../text_general.tflite
}

# It begins with the reader of general text, of which it keeps what sees signs.
train_numbers() {
	call text train --numbers --uses 2 --out "$work/numbers" --until "$(clock)" --anneal "$minutes" --peak 1e-3 --start ../text_general.tflite
	call text export --numbers --out "$work/numbers" --tflite ../numbers.tflite
}

train_documents() {
	once call documents flat --count "$count" --seed 11 --width 640 --portraits "$faces" --out "$work/flat"
	once call finder pool --flat "$work/flat" --drawn $((count / 2)) --seed 12 --portraits "$faces" --out "$work/finder-pool"
	local photos=
	[ ! -d "$data" ] || photos=$(unpack faces/lfw-others-152.tar)/lfw-others-152
	# shellcheck disable=SC2046
	call finder train --pool "$work/finder-pool" --out "$work/finder" --photos "$photos" --minutes "$minutes" --batch 16 --resume $(from documents)
	call finder_report export --pool "$work/finder-pool" --weights "$work/finder/state.pt" --tflite ../documents.tflite
}

# fraud_pictures draws flat documents, and photographs of documents, that are no attacks.
fraud_pictures() {
	local kinds=national_id_front,national_id_back,passport,driving_license,car_license_front,car_license_back
	once call documents flat --count $((count / 4)) --seed 511 --width 1500 --portraits "$faces" --out "$work/fraud-flats"
	once call documents photographs --kinds $kinds --count $((count / 4)) --difficulty normal --seed 521 --portraits "$faces" --out "$work/fraud-normal"
	once call documents photographs --kinds $kinds --count $((count / 4)) --difficulty hard --seed 522 --portraits "$faces" --out "$work/fraud-hard"
}

train_fraud() {
	fraud_pictures
	once call fraud_tiles --flats "$work/fraud-flats" --count $((5 * count)) --seed 21 --out "$work/fraud-tiles"
	# shellcheck disable=SC2046
	call fraud train --tiles "$work/fraud-tiles" --photographs "$work/fraud-normal" "$work/fraud-hard" --out "$work/fraud" --minutes "$minutes" --resume $(from fraud)
	call fraud export --tiles "$work/fraud-tiles" --photographs "$work/fraud-normal" --out "$work/fraud" --tflite ../fraud.tflite
}

train_surroundings() {
	fraud_pictures
	local sources=(--flats "$work/fraud-flats" --photographs "$work/fraud-normal" "$work/fraud-hard" --out "$work/surroundings")
	call surroundings train "${sources[@]}" --until "$(clock)" --anneal $((minutes / 4 + 1))
	call surroundings export "${sources[@]}" --tflite ../surroundings.tflite
}

train_plates() {
	local real
	real=$(unpack plates/ealpr-dev.tar)
	once call plate_data pool --count "$count" --seed 1 --out "$work/plates-pool"
	call plate_reader train --real "$real" --pool "$work/plates-pool" --out "$work/plates" --minutes "$minutes" --resume
	call plate_export export --real "$real" --pool "$work/plates-pool" --out "$work/plates" --tflite ../plates.tflite
}

train_faces() { call face_adopt faces --weights "$(unpack teachers/teachers.tar)/ultraface/version-RFB-320.onnx" --tflite ../faces.tflite; }

train_landmarks() { call face_adopt landmarks --weights "$(unpack teachers/teachers.tar)/mediapipe/face_landmark.tflite" --tflite ../landmarks.tflite; }

for model in ${MODELS:-$drawn $learnt}; do
	declare -F "train_$model" >/dev/null || fail "no training of $model here" "one of: $drawn plates faces landmarks"
	say "training $model, $minutes minutes"
	"train_$model"
done
call manifest
