#!/usr/bin/env bash
# Builds the Python package, installs it into an environment of its own without a network, tests it there and runs the
# notebooks.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage='usage: ci/python.sh [--write]
Builds the wheel of lib/python from build/release, installs it into the virtual environment build/venv, and runs its tests
and notebooks away from the sources. A notebook has to print what is kept in it.
  --write  also keeps what the notebooks print and draw, in lib/python/notebooks'
usage_if_asked "$usage" "$@"
write=
case ${1:-} in
  '') ;;
  --write) write=--write ;;
  *)
    printf '%s\n' "$usage" >&2
    exit 2 ;;
esac

build_release skinlight_python
cd "$root"
rm -rf build/venv
"$python" -m venv --system-site-packages build/venv
# --no-index: a package that it lacked would be an error, not a download.
build/venv/bin/pip install --quiet --disable-pip-version-check --no-index --no-build-isolation \
  --config-settings build-dir=build/release ./lib/python

# Annotations.
(cd lib/python && "$python" -B -m mypy --cache-dir=/dev/null --ignore-missing-imports skinlight)

# Nothing of the sources but the tests themselves: what was installed is what runs.
away=$(mktemp -d)
trap 'rm -rf "$away"' EXIT
cd "$away"
"$root/build/venv/bin/python" -B -m pytest -q -p no:cacheprovider "$root/lib/python/tests"
# The kernel of the notebooks is that of the environment.
"$root/build/venv/bin/python" -m ipykernel install --sys-prefix >/dev/null
"$root/build/venv/bin/python" -B "$root/lib/python/notebooks/run.py" $write
