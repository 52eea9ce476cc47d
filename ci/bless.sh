#!/usr/bin/env bash
# The only writer of golden/: makes what an experiment draws now the reference of later runs.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage='usage: ci/bless.sh ID
Builds, runs experiment ID (such as tarini2014/fig2_pill) and records its normals, pictures and tables in golden/,
with the command, the renderer and the tolerances. Look at `git diff golden/` and at the pictures before you commit.'
usage_if_asked "$usage" "$@"
if [ $# -ne 1 ] || [[ $1 = -* ]]; then
  printf '%s\n' "$usage" >&2
  exit 2
fi

build_release skinlight
cd "$root"
exec build/release/bin/skinlight golden bless "$1"
