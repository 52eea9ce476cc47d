#!/usr/bin/env bash
# The same digits from other compilers, machines and roundings.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage='usage: ci/portability.sh [--quick]
Installs what is missing. Runs the kernels on the cases of golden/stability.json as g++, as clang++ and as g++ for
aarch64, in emulation, compile them: without contraction all results, and all drawn inputs, have the same bytes, by
digests of each regime. With contraction, on aarch64 and where this machine has fused multiply-adds, normals are judged
by the cells of the scalar contracted of the record; under directed rounding and with denormals flushed by those of
vulkan. What -ffast-math of clang++ makes of them is judged by the cells of the scalar fast-math.
The sources of each room compile as one (SKINLIGHT_UNITY), here with clang++.
Then clang++ builds the rooms core to truth, and stability, into build/clang and runs their tests.
Ends with what each step took.
  --quick   a tenth of the cases for the bytes, and no tests of rooms: a few minutes'
cases=2000 sample=2000 tests=1
for argument in "$@"; do
  case $argument in
    --quick) sample=200 tests= ;;
    -h | --help) printf '%s\n' "$usage" && exit 0 ;;
    *) printf '%s\n' "$usage" >&2 && exit 2 ;;
  esac
done

"$root/ci/setup.sh" --portability
cd "$root"
work=build/portability
mkdir -p "$work"
cache=()
if command -v ccache >/dev/null; then
  cache=(ccache)
fi
# Of pose_reader.cpp only normal_side() is used; the rest would want half the library, so unused sections are left out.
sources=(ci/portability/results.cpp lib/skinlight/stability/{regimes,subjects,detail/{run_case,kernel_tape,replays}}.cpp
  lib/skinlight/skinning/{guard,kernel_table,detail/pose_reader}.cpp lib/skinlight/core/{names,sha256}.cpp)

# compile NAME COMPILER [FLAG ...]: build/portability/NAME, the program of results.
compile() {
  local name=$1 compiler=$2 source objects=()
  shift 2
  mkdir -p "$work/$name.o"
  for source in "${sources[@]}"; do
    objects+=("$work/$name.o/$(basename "$source").o")
    "${cache[@]}" "$compiler" -std=c++20 -O2 -frounding-math -ffunction-sections "$@" -I. -Ilib -Ishaders \
      -c "$source" -o "${objects[-1]}" || return
  done
  "$compiler" "$@" -Wl,--gc-sections "${objects[@]}" -o "$work/$name"
}

# results NAME SCALAR CASES [ROUNDING]: runs NAME, its digests to build/portability/NAME.digests.
results() {
  local name=$1 runner=()
  shift
  if [[ $name = aarch64* ]]; then
    runner=(qemu-aarch64-static)
  fi
  "${runner[@]}" "$work/$name" "$1" "$2" "$work/$name.normals" "${@:3}" >"$work/$name.digests"
}

# same NAME: the bytes of g++ on this machine.
same() {
  local scalar
  for scalar in float half vulkan stochastic; do
    results gxx "$scalar" "$sample" && results "$1" "$scalar" "$sample" || return
    diff "$work/gxx.digests" "$work/$1.digests" || return
    echo "$1: $scalar: same inputs and same results as g++, $sample cases in each of $(grep -c inputs "$work/gxx.digests") regimes"
  done
}

# link_stability OBJECT ... -o PROGRAM
link_stability() {
  g++ "$@" build/release/lib/skinlight/{stability/libskinlight_stability,truth/libskinlight_truth,skinning/libskinlight_skinning,preprocess/libskinlight_preprocess,rig/libskinlight_rig,mesh/libskinlight_mesh,core/libskinlight_core}.a \
    -lOpenMeshCore -pthread
}

build_judge() {
  build_installed skinlight_stability &&
    "${cache[@]}" g++ -std=c++20 -O2 -ffp-contract=off -I. -Ilib -Ishaders -c ci/portability/judge.cpp -o "$work/judge.o" &&
    link_stability "$work/judge.o" -o "$work/judge"
}

compile_all() {
  compile gxx g++ -ffp-contract=off &&
    compile clang clang++ -ffp-contract=off &&
    compile aarch64 aarch64-linux-gnu-g++ -ffp-contract=off -static &&
    compile aarch64-fused aarch64-linux-gnu-g++ -ffp-contract=fast -static
  if grep -qw fma /proc/cpuinfo; then
    compile gxx-fused g++ -ffp-contract=fast -mfma && compile clang-fused clang++ -ffp-contract=fast -mfma
  fi
}

bytes() { same clang && same aarch64; }

# Normals of machines that contract, and of other roundings, by the cells that stand for them. How many digits each may
# lose, at the median and in the worst 1 %:
own_loss='.15 .2'       # that of the record: no rounding is another
choice_of_fused='.25 .3' # of two products in a sum compilers fuse either, and the scalar contracted one
one_sided='.8 .9'       # errors of directed roundings have one sign and add up, those of vulkan cancel
judged() {
  # shellcheck disable=SC2206  # two numbers each
  local own=($own_loss) fused=($choice_of_fused) directed=($one_sided)
  local name rounding files=()
  for name in aarch64-fused gxx-fused clang-fused; do
    if [ -x "$work/$name" ]; then
      results "$name" float "$cases" || return
      files+=("$work/$name.normals" contracted "${fused[@]}")
    fi
  done
  for rounding in flush up down zero; do
    results gxx float "$cases" "$rounding" && mv "$work/gxx.normals" "$work/gxx-$rounding.normals" || return
    if [ "$rounding" = flush ]; then
      files+=("$work/gxx-$rounding.normals" vulkan "${own[@]}")
    else
      files+=("$work/gxx-$rounding.normals" vulkan "${directed[@]}")
    fi
  done
  "$work/judge" "$cases" golden/stability.json "${files[@]}"
}

# -ffast-math of clang++: its kernels, and the file that names the compiler, in the place of those of g++.
clang_fast_math() {
  local source flags objects=()
  for source in ci/portability/own_digits lib/skinlight/stability/{record,detail/run_fast_math}; do
    flags=(-O3 -ffp-contract=off)
    if [[ $source = *fast_math ]]; then
      flags+=(-ffast-math)
    fi
    objects+=("$work/clang.o/$(basename "$source").o")
    "${cache[@]}" clang++ -std=c++20 "${flags[@]}" -I. -Ilib -Ishaders -c "$source.cpp" -o "${objects[-1]}" || return
  done
  link_stability "${objects[@]}" -o "$work/own_digits" && "$work/own_digits" golden/stability.json fast-math
}

# Rooms whose sources are compiled as one, as reproduce compiles them, by clang++ too: two names for one thing, or one for
# two, would not pass.
together() {
  local made=build/together
  CXX=clang++ cmake --preset release -B "$made" -DSKINLIGHT_UNITY=100 -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >"$work/together.log" &&
    "$python" - "$made" <<'PY' | xargs -P "$(nproc)" -I '{}' sh -c '{}'
import json, os, re, shlex, sys
for entry in json.load(open(os.path.join(sys.argv[1], "compile_commands.json"), encoding="utf-8")):
    if "/Unity/" in entry["file"]:
        command = re.sub(r" -o \S+ -c ", " -fsyntax-only ", entry["command"])
        print(shlex.quote(f"cd {shlex.quote(entry['directory'])} && {command}"))
PY
}

clang_tests() {
  local rooms=(core mesh rig samples preprocess skinning truth stability) targets
  targets=("${rooms[@]/#/skinlight_}")
  CXX=clang++ cmake --preset release -B build/clang &&
    cmake --build build/clang --parallel "$(nproc)" --target "${targets[@]/%/_test}" &&
    ctest --test-dir build/clang --output-on-failure --parallel "$(nproc)" --label-regex "^($(IFS='|' && echo "${rooms[*]}"))\$"
}

status=0
timed 'the judge, with g++' build_judge
timed 'programs of results' compile_all
timed 'sources of a room as one' together || status=1
timed 'same bytes' bytes || status=1
timed 'contracted and rounded otherwise' judged || status=1
timed 'fast-math of clang++' clang_fast_math || status=1
if [ -n "$tests" ]; then
  timed 'tests of the rooms, with clang++' clang_tests || status=1
fi
printf '%s' "$took"
exit $status
