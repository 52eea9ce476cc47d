#!/usr/bin/env bash
# Checks layout and habits of the tracked sources: clang-format, clang-tidy, syntax of shell and Python.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

no_arguments 'usage: ci/lint.sh
Checks every tracked C++ file with clang-format and clang-tidy, every shell script with bash -n and every Python
file with compileall. Changes nothing in the sources. Builds build/release first: clang-tidy reads its generated headers.' "$@"

"$root/ci/setup.sh" --lint
build_release
cd "$root"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0

step() {
  local name=$1
  shift
  if "$@"; then
    echo "lint: $name: clean"
  else
    echo "lint: $name: FAILED"
    status=1
  fi
}

format() { git ls-files -z '*.h' '*.cpp' | xargs -0 -r clang-format --dry-run -Werror; }

# The tracked files that the build compiles: clang-tidy needs the options of each.
compiled_files() {
  "$python" - <<'PY'
import json, os, subprocess
listed = subprocess.check_output(["git", "ls-files", "-z", "*.cpp"], text=True).split("\0")
tracked = {os.path.abspath(name) for name in listed if name}
with open("build/release/compile_commands.json") as file:
    built = {os.path.join(entry["directory"], entry["file"]) for entry in json.load(file)}
print("\0".join(sorted(tracked & built)), end="")
PY
}

tidy() {
  cmake --preset release -DSKINLIGHT_UNITY=0 >"$scratch/configured" || return 1  # each source has a line of its own
  compiled_files >"$scratch/files" || return 1
  if ! xargs -0 -r -n 1 -P "$(nproc)" clang-tidy -p build/release --quiet <"$scratch/files" >"$scratch/tidy" 2>&1; then
    grep -vE '^[0-9]+ warnings? (generated|treated)' "$scratch/tidy"
    return 1
  fi
}

shell() { git ls-files -z '*.sh' .ci/run | xargs -0 -r -n 1 bash -n; }

# Compiled into a folder that is thrown away: __pycache__ has no place beside the sources.
compile_python() {
  git ls-files -z '*.py' | PYTHONPYCACHEPREFIX=$scratch xargs -0 -r "$python" -m compileall -q
}

step clang-format format
step clang-tidy tidy
step 'bash -n' shell
step compileall compile_python
exit "$status"
