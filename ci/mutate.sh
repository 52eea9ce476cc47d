#!/usr/bin/env bash
# Plants faults in a copy of the sources and tells which of them no test notices.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

find_models || true  # tests of real characters, where these are at hand
"$root/ci/setup.sh" --mutate
exec "$python" "$root/ci/mutate/run.py" "$@"
