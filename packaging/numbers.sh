#!/bin/bash
# Photographs national IDs that nothing was trained or tuned on, reads them and
# counts wrong national numbers without a flag. For `make numbers`.
#
#   COUNT=6000 SEED=91001 DIFFICULTY=normal packaging/numbers.sh
#
# Fronts and backs in turn, in the test fonts and on the test backgrounds. The
# pictures lie in BAWAB_TRAINING (~/.cache/bawab-training), 0.4 MB each: a
# second call goes on where the first was stopped, and another SEED draws anew.
# Drawing takes some 0.2 s a picture on one core. The first call installs the
# Python environment (training.sh), some minutes.
set -euo pipefail

cd "$(dirname "$0")/.."
# shellcheck source=packaging/debian.sh
. packaging/debian.sh
# shellcheck source=packaging/training.sh
. packaging/training.sh

count=${COUNT:-6000} seed=${SEED:-91001} difficulty=${DIFFICULTY:-normal}
out=$work/numbers-$difficulty-$seed
environment
call documents photographs --kinds national_id_front,national_id_back --count "$count" --difficulty "$difficulty" --seed "$seed" \
	--held-out --portraits "$(portraits)" --out "$out"
env -u BAWAB_TRAINING nice -n 15 bin/bawab eval documents "$out"
