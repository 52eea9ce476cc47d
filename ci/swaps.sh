#!/usr/bin/env bash
# Runs experiments with the wrong method or normal mode in the place of the right one and tells which claims still pass.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage='usage: ci/swaps.sh [ID ...] [--json FILE]
Runs every experiment, or those named, with the wrong method or normal mode in the place of each one that it uses, and counts
the claims whose values change without that any swap turns them red. ci/swaps/accepted.json says why some may.
  --json  every claim and what became of it under each swap
Exit code: 0 fine; 1 a claim passes with every wrong method and no reason is listed; 2 bad input.'
usage_if_asked "$usage" "$@"

build_release skinlight_swapped >&2
find_models || { echo 'ci/swaps.sh: no folder of real models is at hand; ci/fetch_models.sh gets them' >&2 && exit 2; }
exec "$python" -B "$root/ci/swaps/run.py" "$@"
