# What the scripts of this folder share; to be sourced. Sets `root`, the top of the checkout, and `python`.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
python=${PYTHON:-/usr/bin/python3}
export PYTHON=$python

# usage_if_asked TEXT "$@": prints TEXT and ends the script when an argument is -h or --help.
usage_if_asked() {
  local text=$1
  shift
  for argument in "$@"; do
    if [ "$argument" = -h ] || [ "$argument" = --help ]; then
      printf '%s\n' "$text"
      exit 0
    fi
  done
}

# no_arguments TEXT "$@": a script that takes no arguments says so.
no_arguments() {
  local text=$1
  shift
  usage_if_asked "$text" "$@"
  if [ $# -gt 0 ]; then
    printf '%s\n' "$text" >&2
    exit 2
  fi
}

# timed NAME COMMAND...: runs the command; how long that took goes to the lines of `took`, for the end of the script.
took=
timed() {
  local name=$1 start=$SECONDS status=0
  shift
  "$@" || status=$?
  local seconds=$((SECONDS - start))
  took+=$(printf '%4d min %02d s  %s' $((seconds / 60)) $((seconds % 60)) "$name")$([ $status -eq 0 ] || echo ': FAILED')$'\n'
  return $status
}

# build_release [TARGET ...]: installs what is missing and builds the release preset into build/release, everything or
# only these targets.
build_release() {
  "$root/ci/setup.sh" || return
  build_installed "$@"
}

# The same with what is installed. configure_options: what a build folder is configured with that is made now.
configure_options=()
build_installed() {
  (
    cd "$root"
    if [ -f build/release/CMakeCache.txt ]; then configure_options=(); fi
    cmake --preset release "${configure_options[@]}" && cmake --build --preset release --parallel "$(nproc)" ${1:+--target "$@"}
  )
}

# Exports SKINLIGHT_MODELS, the folder of real models: as the caller set it, else what ci/fetch_models.sh made, else
# ../shared/models beside the checkout. Fails when there is none.
find_models() {
  local folder
  if [ -n "${SKINLIGHT_MODELS:-}" ]; then
    return 0
  fi
  for folder in "$root/models" "$root/../shared/models"; do
    if [ -d "$folder" ]; then
      SKINLIGHT_MODELS=$(cd "$folder" && pwd)
      export SKINLIGHT_MODELS
      return 0
    fi
  done
  return 1
}
