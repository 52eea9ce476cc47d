#!/usr/bin/env bash
# Surveys the rigs of any number of folders: tables and a page that say how wrong their normals are.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage='usage: ci/survey.sh FOLDER... [-- snakemake options]
Installs what is missing, builds the program, and measures every model below the folders (files will do too), as many at
once as there are processors. Tables and a page go to out/survey. A run that was interrupted goes on where it stopped;
models that have not changed are not measured again.
  SKINLIGHT_SURVEY_OUT   another folder for the results
Exit code 0: done, whatever the models are like; 2: nothing could be done, and why.'
usage_if_asked "$usage" "$@"
places=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  places+=("$1")
  shift
done
[ $# -eq 0 ] || shift
if [ ${#places[@]} -eq 0 ] || [[ ${places[0]} = -* ]]; then
  printf '%s\n' "$usage" >&2
  exit 2
fi

"$root/ci/setup.sh"
program=${SKINLIGHT:-$root/build/release/bin/skinlight}
if [ -z "${SKINLIGHT:-}" ]; then
  build_release skinlight
fi
out=$(realpath -m "${SKINLIGHT_SURVEY_OUT:-$root/out/survey}")
list=$(mktemp)
trap 'rm -f "$list"' EXIT
realpath -ms "${places[@]}" >"$list"
config=(list="$list" out="$out" program="$program")
# The one line of what cannot be surveyed, without snakemake's frames around it.
"$python" -B "$root/repro/survey/survey.py" "${config[@]}" || exit 2
status=0
# A lock that ends with its holder, in the place of snakemake's, which outlives a kill.
exec 9>"$out/lock"
if ! flock -n 9; then
  echo "survey: $out: another survey is writing there" >&2
  exit 2
fi
snakemake --nolock --snakefile "$root/repro/survey/Snakefile" --profile "$root/repro/survey/profiles/local" \
  --directory "$out" "$@" --config "${config[@]}" || status=2
[ "$status" -ne 0 ] || echo "$out/index.html"
exit "$status"
