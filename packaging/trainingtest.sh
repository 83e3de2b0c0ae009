#!/bin/bash
# The tests of the training code: the truth of drawn cards, a training of two
# minutes that must lower the loss, and an int8 file that must answer as its
# float network does. For `make training-test`. The first call installs the
# Python environment (training.sh), some minutes.
set -euo pipefail

cd "$(dirname "$0")/.."
# shellcheck source=packaging/debian.sh
. packaging/debian.sh
# shellcheck source=packaging/training.sh
. packaging/training.sh

environment
"$python" -m pytest --version >/dev/null 2>&1 || "$venv/bin/pip" install -q pytest==9.0.1
cd models/training && exec nice "$python" -m pytest -q -p no:cacheprovider
