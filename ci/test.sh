#!/usr/bin/env bash
# Installs what is missing, builds, runs every test, C++ and Python.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

no_arguments 'usage: ci/test.sh
Installs what is missing, builds build/release and runs all tests; ends with the summary of ctest.
  SKINLIGHT_MODELS          folder of test models; tests that need one are skipped without it
  SKINLIGHT_REQUIRE_MODELS  1: those tests fail instead' "$@"

build_release
cd "$root"
ctest --preset release --parallel "$(nproc)"
