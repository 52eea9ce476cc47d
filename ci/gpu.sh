#!/usr/bin/env bash
# What only a graphics processor can tell, in one run for whoever has one.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage='usage: ci/gpu.sh [--software] [--out DIR]
Builds what it needs and, on the first graphics processor that EGL offers, runs
  - the kernels on the inputs of the stability cells: inside the bounds of the Vulkan and GLSL specifications?
  - the tests of skinning on the GPU against the CPU
  - Fig. 2, whose claims hold pictures and captured vertices against the processor, and Table 2, frames per second
  - every experiment with golden references: normals, pictures and claims against those of llvmpipe
  - frames of every method and kind of normals on 1,000 to 1,000,000 vertices, in proportion to standard normals,
into DIR (default: build/gpu), with what each took in DIR/log.
  --software  on llvmpipe instead, to try the script
Exit code 1 if something failed, 2 if there is no graphics processor.'
usage_if_asked "$usage" "$@"

fail() {
  echo "ci/gpu.sh: $*" >&2
  exit 2
}

out=$root/build/gpu renderer=egl-device kind=auto
while [ $# -gt 0 ]; do
  case $1 in
    --software) renderer=llvmpipe kind=egl_surfaceless ;;
    --out) [ $# -gt 1 ] || fail '--out needs a folder' && out=$2 && shift ;;
    *) fail "'$1' is unknown; see --help" ;;
  esac
  shift
done

mkdir -p "$out" 2>/dev/null || fail "cannot write to $out"
timed build build_release skinlight skinlight_render_test skinlight_render_bench >"$out/build.log" 2>&1 || fail "does not build: see $out/build.log"
bin=$root/build/release/bin
tests=$bin/skinlight_render_test

cells() { "$tests" --gtest_filter="*KernelCells*/$kind" >"$out/cells.log" 2>&1; }
skinning() { "$tests" --gtest_filter="*GpuSkinning*/$kind" >"$out/skinning.log" 2>&1; }
experiments() {
  local id status=0
  for id in tarini2014/fig2_pill bittner2019/table2_fps; do
    "$bin/skinlight" reproduce "$id" --renderer "$renderer" --out "$out" >>"$out/experiments.log" 2>&1 || status=1
  done
  return "$status"
}

goldens() {
  find_models || true  # what needs them is told
  (cd "$root" && "$bin/skinlight" golden check --renderer "$renderer" --out "$out/golden" >"$out/golden.log" 2>&1)
}
frames() {
  SKINLIGHT_RENDERER=$renderer "$bin/skinlight_render_bench" --benchmark_min_time=0.05 \
    --benchmark_out="$out/frames.json" --benchmark_out_format=json >"$out/frames.log" 2>&1
}

status=0
timed 'kernels on the inputs of the stability cells' cells || status=1
if grep -q 'no graphics processor here' "$out/cells.log"; then
  fail 'EGL offers no graphics processor, only software; --software tries the script on that'
fi
timed 'skinning against the processor' skinning || status=1
rm -f "$out/experiments.log"
timed 'pictures and frames per second' experiments || status=1
timed 'golden references' goldens || status=1
timed 'frames over vertices' frames || status=1
grep -h '^renderer:' "$out/experiments.log" | head -n 1
cat "$out/bittner2019/table2_fps/"*.csv 2>/dev/null || true
grep -h '^frame/' "$out/frames.log" || true
grep -hE 'mismatch|claim.* failed' "$out/golden.log" || true
printf '%s' "$took" | tee "$out/log"
exit "$status"
