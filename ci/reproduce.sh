#!/usr/bin/env bash
# Installs what is missing, builds the program, regenerates every figure and the page that shows them.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# One of each kind: a rig with pictures and convergence, formulas alone, curves. None of them needs a model.
quick=(tarini2014/fig2_pill merry2006/normals slides/log_blending)

usage="usage: ci/reproduce.sh [ID ...] [--quick] [--offline] [--out DIR] [further options of 'skinlight reproduce']
Regenerates every registered figure, or only those named (a paper names all of its own), into DIR (default: out/ of the
checkout), and ends with what is not reproduced or was not run, and the path of DIR/index.html.
  --quick    only ${quick[*]}: whether this installation works
  --offline  no network: no packages are installed and no models fetched
Exit code 1 if a claim failed or, when all were run, normals lost digits; 2 if something could not be run."
usage_if_asked "$usage" "$@"

fail() {
  echo "ci/reproduce.sh: $*" >&2
  exit 2
}

out=$root/out
offline=
wanted=()
options=()
while [ $# -gt 0 ]; do
  case $1 in
    --quick) wanted+=("${quick[@]}") ;;
    --offline) offline=1 ;;
    --out | --renderer | --threads)
      [ $# -gt 1 ] || fail "$1 needs a value"
      if [ "$1" = --out ]; then out=$2; else options+=("$1" "$2"); fi
      shift ;;
    --out=*) out=${1#--out=} ;;
    -*) options+=("$1") ;;
    *) wanted+=("$1") ;;
  esac
  shift
done

# Names are checked before anything is installed or built, where there is a Python to do so.
command -v "$python" >/dev/null || [ -n "$offline" ] || "$root/ci/setup.sh"
list=$("$python" - "$root/repro/papers.json" "${wanted[@]}" <<'PY'
import difflib, json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    papers = json.load(file)["papers"]
wanted = sys.argv[2:]
ids = [f"{paper['id']}/{name}" for paper in papers for name in paper["experiments"]]
names = ids + [paper["id"] for paper in papers if paper["experiments"]]
for name in wanted:
    if name not in names:
        sys.exit(f"ci/reproduce.sh: there is no experiment '{name}'; the nearest is '{difflib.get_close_matches(name, names, 1, 0)[0]}'")
print("\n".join(i for i in ids if not wanted or i in wanted or i.split("/")[0] in wanted))
PY
) || exit 2
mapfile -t ids <<<"$list"

models_missing() {
  echo "ci/reproduce.sh: $1; what needs them is told at the end" >&2
}

# Real models: the caller's, else those at hand, else from their public sources.
models() {
  if [ -z "${SKINLIGHT_MODELS:-}" ] && [ -z "$offline" ] && ! "$root/ci/fetch_models.sh" >"$work/models" 2>&1; then
    models_missing "models could not be fetched: $(tail -n 1 "$work/models")"
  elif [ -f "$work/models" ]; then
    grep -v '^kept ' "$work/models" || true
  fi
  find_models || models_missing 'no folder of real models is at hand'
}

# The whole program, or where only some experiments are wanted and nothing is built yet, one for these: a third of the
# compiler's time, in a folder of its own.
folder=$root/build/release
if [ ${#wanted[@]} -gt 0 ] && [ ! -x "$folder/bin/skinlight" ]; then folder=$root/build/figures; fi

build() {
  if [ -z "$offline" ]; then "$root/ci/setup.sh" --program || return; fi
  # For those who want figures and change no source: half of the compiler's time. No figure takes long to skin. Tests build
  # beside it all the same.
  configure_options=(-DSKINLIGHT_UNITY=12 -DSKINLIGHT_INLINE_KERNELS=OFF)
  if [ "$folder" = "$root/build/release" ]; then
    build_installed skinlight
  else
    (
      cd "$root"
      cmake --preset release -B "$folder" "${configure_options[@]}" -DSKINLIGHT_EXPERIMENTS="$(IFS=';' && echo "${ids[*]}")" \
        -DSKINLIGHT_BUILD_TESTS=OFF -DSKINLIGHT_BUILD_BENCHMARKS=OFF -DSKINLIGHT_BUILD_PYTHON=OFF -DSKINLIGHT_INSTALL=OFF &&
        cmake --build "$folder" --parallel "$(nproc)" --target skinlight
    )
  fi
}

# one ID NUMBER: the experiment, then its figure; what they say comes out in one piece. A failed claim (1) is shown on the
# page; anything worse is kept for the end.
one() {
  local id=$1 number=$2 start=$SECONDS status=0 script=$root/paper_figures/$1.py
  "$folder/bin/skinlight" reproduce "$id" --out "$out" "${options[@]}" >"$work/$number.out" 2>"$work/$number.err" ||
    status=$?
  if [ "$status" -le 1 ] && [ -f "$script" ]; then
    "$python" -B "$script" "$out" >/dev/null 2>"$work/$number.err" || status=2
  fi
  printf '[%s/%s] %-32s %3d claims %4d s\n' "$number" "${#ids[@]}" "$id" \
    "$(grep -c "^$id \+[a-z]" "$work/$number.out" || true)" $((SECONDS - start))
  if [ "$status" -gt 1 ]; then
    { echo "$id could not be run:" && tail -n 3 "$work/$number.err"; } | tee "$work/$number.bad" >&2
  fi
}

# How many digits of the normals are right, for the page; lost ones (1) are shown there.
digits() {
  local status=0
  "$folder/bin/skinlight" stability check --record "$root/golden/stability.json" --json "$out/stability.json" \
    >"$work/digits" 2>"$work/digits.err" || status=$?
  if [ "$status" -eq 1 ]; then digits_lost=1; fi
  tail -n 3 "$work/digits"
  if [ "$status" -gt 1 ]; then
    { echo 'stability could not be checked:' && tail -n 3 "$work/digits.err"; } | tee "$work/digits.bad" >&2
  fi
}

# As many at a time as there are cores.
experiments() {
  local number=0
  for id in "${ids[@]}"; do
    number=$((number + 1))
    if [ "$number" -gt "$cores" ]; then wait -n; fi
    one "$id" "$number" &
  done
  wait
}

cores=$(nproc)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out" 2>/dev/null || fail "cannot write to $out"
timed build build || exit 2
timed models models
timed 'experiments and figures' experiments
digits_lost=
if [ ${#wanted[@]} -eq 0 ]; then timed 'digits of the normals' digits; fi
printf '\n%s\n' "$took"

report=0
"$python" -B "$root/paper_figures/report.py" "$out" || report=$?
if compgen -G "$work/*.bad" >/dev/null; then
  cat "$work"/*.bad >&2
  report=2
elif [ -n "$digits_lost" ]; then
  report=$((report > 1 ? report : 1))
fi
exit "$report"
