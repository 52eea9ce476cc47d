#!/usr/bin/env bash
# Runs the tests under the sanitizers: all of them under address and undefined behaviour, what has threads under thread.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Where threads are: parallel_for; deform factors and centres; SkinBatch; judge; the C interface.
threaded=(core preprocess skinning audit c)

usage="usage: ci/sanitize.sh [ROOM ...]
Installs what is missing. Builds build/asan (address and undefined behaviour) and runs every test; builds build/tsan
(thread) and runs the tests of the rooms with threads: ${threaded[*]}. Ends with what each step took.
With ROOMs (core, mesh, ..., or repro), builds and runs their tests only.
  SKINLIGHT_MODELS          folder of test models; tests that need one are skipped without it"
usage_if_asked "$usage" "$@"

"$root/ci/setup.sh"
cd "$root"
for room in "$@"; do
  if [ "$room" != repro ] && [ ! -d "lib/skinlight/$room" ]; then
    echo "ci/sanitize.sh: there is no room '$room'" >&2
    exit 2
  fi
done

# step PRESET [ROOM ...]: builds and runs the tests of these rooms, or all.
step() {
  local preset=$1 targets=() labels=()
  shift
  if [ $# -gt 0 ]; then
    targets=("${@/#/skinlight_}")
    targets=(--target "${targets[@]/%/_test}")
    labels=(--label-regex "^($(IFS='|' && echo "$*"))\$")
  fi
  timed "$preset: configuring" cmake --preset "$preset" &&
    timed "$preset: building" cmake --build --preset "$preset" --parallel "$(nproc)" "${targets[@]}" &&
    timed "$preset: testing" ctest --preset "$preset" --parallel "$(nproc)" "${labels[@]}"
}

status=0
step asan "$@" || status=1
chosen=()
for room in "${threaded[@]}"; do
  if [ $# -eq 0 ] || [[ " $* " = *" $room "* ]]; then
    chosen+=("$room")
  fi
done
if [ ${#chosen[@]} -gt 0 ]; then
  step tsan "${chosen[@]}" || status=1
fi
printf '%s' "$took"
exit $status
