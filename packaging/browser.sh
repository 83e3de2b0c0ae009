#!/bin/bash
# Installs the browser that the tests of the pages drive, for `make test`:
#
#   packaging/browser.sh FOLDER
#
# Building and running need none. FOLDER takes the log.
set -euo pipefail

folder=${1:?usage: packaging/browser.sh FOLDER}
mkdir -p "$folder"
# shellcheck disable=SC2034 # debian.sh writes there
log=$folder/apt.log
# shellcheck source=packaging/debian.sh
. "$(dirname "$0")/debian.sh"

command -v chromium >/dev/null || need chromium
