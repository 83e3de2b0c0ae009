#!/bin/bash
# Photographs national IDs that nothing was trained or tuned on, reads them and
# counts wrong national numbers without a flag. For `make numbers`.
#
#   COUNT=6000 SEED=91001 DIFFICULTY=normal packaging/numbers.sh
#
# Fronts and backs in turn, in the test fonts and on the test backgrounds. The
# pictures lie in BAWAB_TRAINING (~/.cache/bawab-training), 0.4 MB each: a
# second call goes on where the first was stopped, and another SEED draws anew.
# Drawing takes 0.7 s a picture on one core. The Python environment is the one
# that `make models` makes. PORTRAITS may name a folder of faces.
set -euo pipefail

cd "$(dirname "$0")/.."
count=${COUNT:-6000} seed=${SEED:-91001} difficulty=${DIFFICULTY:-normal}
out=${BAWAB_TRAINING:-${XDG_CACHE_HOME:-$HOME/.cache}/bawab-training}/numbers-$difficulty-$seed
python=${PYTHON:-$PWD/.venv-training/bin/python}
[ -x "$python" ] || { echo "no $python: run 'make models' first, or name one in PYTHON" >&2; exit 1; }

(cd models/training && nice -n 15 "$python" -m bawab_training.documents photographs \
	--kinds national_id_front,national_id_back --count "$count" --difficulty "$difficulty" --seed "$seed" \
	--held-out --portraits "${PORTRAITS:-}" --out "$out")
env -u BAWAB_TRAINING nice -n 15 bin/bawab eval documents "$out"
