#!/usr/bin/env bash
# Installs what is missing, builds, regenerates every figure and the page that shows them.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage_if_asked "usage: ci/reproduce.sh [ID ...] [--out DIR] [further options of 'skinlight reproduce']
Regenerates every registered figure, or only those named, into DIR (default: out/ of the checkout), and ends with the
table of claims and the path of DIR/index.html. Exit code 1 if a claim failed, 2 if something could not be run." "$@"

# The folder of the outputs: the caller's --out, else out/ of the checkout.
out=$root/out
arguments=()
while [ $# -gt 0 ]; do
  case $1 in
    --out)
      if [ $# -lt 2 ]; then
        echo 'ci/reproduce.sh: --out needs a folder' >&2
        exit 2
      fi
      out=$2
      shift ;;
    --out=*) out=${1#--out=} ;;
    *) arguments+=("$1") ;;
  esac
  shift
done

build_release skinlight
if ! find_models; then
  echo 'ci/reproduce.sh: no folder of real models (ci/fetch_models.sh makes one); experiments on them are not run' >&2
fi

# A failed claim (1) is shown on the page; anything worse ends here.
status=0
"$root/build/release/bin/skinlight" reproduce --out "$out" "${arguments[@]}" || status=$?
if [ "$status" -gt 1 ]; then
  exit "$status"
fi

for script in "$root"/paper_figures/*/*.py; do
  id=${script#"$root/paper_figures/"}
  id=${id%.py}
  if [[ $id != *_test ]] && [ -f "$out/$id/run.json" ]; then
    "$python" -B "$script" "$out" || status=2
  fi
done

report=0
"$python" -B "$root/paper_figures/report.py" "$out" || report=$?
exit $((report > status ? report : status))
