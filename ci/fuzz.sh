#!/usr/bin/env bash
# Feeds the readers of model files what libFuzzer invents.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage='usage: ci/fuzz.sh [SECONDS]
Installs what is missing, builds build/fuzz (clang, libFuzzer, both sanitizers) and runs every fuzzing program for SECONDS
(default 60) of wall-clock time, as many at once as there are processors. They start from lib/skinlight/asset/fuzz/corpus;
what they find interesting is kept in build/fuzz/corpus, so that the next run goes on from there. An input that breaks a
reader is left in build/fuzz/found, and the script ends with 1.'
usage_if_asked "$usage" "$@"
seconds=${1:-60}
if [ $# -gt 1 ] || ! [[ $seconds =~ ^[1-9][0-9]*$ ]]; then
  printf '%s\n' "$usage" >&2
  exit 2
fi

"$root/ci/setup.sh" --fuzz
cd "$root"
cmake --preset fuzz
cmake --build --preset fuzz --parallel "$(nproc)"

seeds=$root/lib/skinlight/asset/fuzz/corpus
rm -rf build/fuzz/found
mkdir -p build/fuzz/found build/fuzz/logs

# Runs one target; on failure shows the end of its log.
fuzz() {
  local name=$1
  mkdir -p "build/fuzz/corpus/$name"
  if "build/fuzz/bin/fuzz_$name" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=4096 -max_len=8192 \
    -artifact_prefix="build/fuzz/found/$name-" "build/fuzz/corpus/$name" "$seeds/$name" \
    >"build/fuzz/logs/$name.txt" 2>&1; then
    echo "fuzz: $name: clean, $(sed -n 's/^Done \([0-9]*\) runs.*/\1/p' "build/fuzz/logs/$name.txt") inputs"
  else
    tail -n 40 "build/fuzz/logs/$name.txt"
    echo "fuzz: $name: FAILED, the input is build/fuzz/found/$name-*; keep it in $seeds/$name"
    return 1
  fi
}
export -f fuzz
export seconds seeds
printf '%s\n' build/fuzz/bin/fuzz_* | sed 's|.*/fuzz_||' | xargs -P "$(nproc)" -I NAME bash -euo pipefail -c 'fuzz NAME'
