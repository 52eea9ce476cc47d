#!/usr/bin/env bash
# What runs in a browser: the library as WebAssembly with its npm package, and the page of a reproduction.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage='usage: ci/web.sh [--serve]
Installs what is missing, builds the npm package skinlight into build/web/package and the lab, a page that shows how wrong
the normals of a character are, into out/lab, and tests
  - the package in node: its numbers are the bytes of the native library, its errors the same words,
  - three.js (WebGLRenderer, node materials) and Babylon.js in headless Chromium: their posed normals, read back as floats,
    are those of the library, also of baked files that other tools have edited, or standard ones with the reason,
  - the lab in headless Chromium, as people use it, with files that cannot be used among them,
  - the page that ci/reproduce.sh writes in headless Chromium: at widths from 360 to 1920 pixels, folded and unfolded,
    its pictures, its links, its console.
Ends with what each step took.
  --serve           builds the lab and serves it on this machine alone, without tests
  SKINLIGHT_PORT    at another port than 8080
  SKINLIGHT_OUT     the folder of a reproduction: its page is tested too
  SKINLIGHT_MODELS  folder of test models; tests that need one are skipped without it'
usage_if_asked "$usage" "$@"
serve=
case ${1:-} in
  '') ;;
  --serve) serve=yes ;;
  *)
    printf '%s\n' "$usage" >&2
    exit 2 ;;
esac

"$root/ci/setup.sh" --web
cd "$root"
find_models || true

# The sources of libraries that Debian has for the host only, unpacked as their authors wrote them.
sources() {
  local place=$root/build/web-sources
  if compgen -G "$place/OpenMesh-*/src" >/dev/null && compgen -G "$place/meshoptimizer-*/src" >/dev/null; then
    return 0
  fi
  rm -rf "$place"
  mkdir -p "$place/apt/lists/partial" "$place/apt/cache/archives/partial"
  # Where the packages of this machine come from.
  apt-get indextargets 'Created-By: Packages' --format 'deb-src $(REPO_URI) $(CODENAME) $(COMPONENT)' 'Origin: Debian' |
    sort -u >"$place/apt/sources.list"
  local apt=(apt-get -qq -o "Dir::Etc::SourceList=$place/apt/sources.list" -o Dir::Etc::SourceParts=-
    -o "Dir::State::Lists=$place/apt/lists" -o "Dir::Cache=$place/apt/cache" -o APT::Sandbox::User=)
  "${apt[@]}" update
  (cd "$place" && "${apt[@]}" source --download-only openmesh meshoptimizer &&
    for archive in openmesh_*.orig.tar.* meshoptimizer_*.orig.tar.*; do tar -xf "$archive"; done)
}

modules=$root/build/node/node_modules

# The package in build/web/package, with the module in it.
package() {
  [ -f build/web/build.ninja ] || emcmake cmake -S lib/web -B build/web -G Ninja -DCMAKE_BUILD_TYPE=Release >/dev/null
  # Emscripten's own JavaScript asks for Debian's packages of node, which another node does not find.
  NODE_PATH=/usr/share/nodejs cmake --build build/web --parallel "$(nproc)"
  rm -rf build/web/package
  mkdir -p build/web/package
  cp -r lib/web/package.json lib/web/README.md LICENSE lib/web/skinlight build/web/package/
  cp build/web/skinlight.wasm build/web/package/skinlight/
  "$modules/.bin/esbuild" build/web/skinlight.mjs --minify --format=esm --log-level=warning --outfile=build/web/package/skinlight/skinlight.mjs
  node lib/web/kernels.mjs shaders/translate.py build/web/package/skinlight/kernels.mjs
}

lab() { node repro/lab/build.mjs build/web/package "$modules" shaders/translate.py build/web/costs.cjs out/lab; }

# The tests of the package lie beside it as in the sources.
test_package() {
  cp -r lib/web/tests build/web/package/
  build_release skinlight_c >/dev/null
  gcc -O1 -o build/web/floats lib/web/tests/floats.c -Ilib/skinlight/c -Lbuild/release/lib/skinlight/c -lskinlight_c \
    -Wl,-rpath,"$root/build/release/lib/skinlight/c"
  SKINLIGHT_SOURCE=$root SKINLIGHT_FLOATS=$root/build/web/floats node --test build/web/package/tests/*.test.mjs
}
test_engines() {
  SKINLIGHT_PACKAGE=$root/build/web/package SKINLIGHT_MODULES=$modules SKINLIGHT_EXAMPLES=$root/lib/web/examples \
    node --test lib/web/tests/engines/
}

test_lab() {
  SKINLIGHT_LAB=$root/out/lab SKINLIGHT_PACKAGE=$root/build/web/package SKINLIGHT_MODULES=$modules \
    node --test repro/lab/
}

status=0
timed 'sources' sources
timed 'the package' package
timed 'the lab' lab
if [ -n "$serve" ]; then
  echo "http://localhost:${SKINLIGHT_PORT:-8080}/"
  exec "$python" -m http.server --bind 127.0.0.1 --directory out/lab "${SKINLIGHT_PORT:-8080}"
fi
timed 'tests of the package' test_package || status=1
timed 'tests in engines' test_engines || status=1
timed 'tests of the lab' test_lab || status=1
timed 'the page of a reproduction' "$python" -B "$root/paper_figures/page_in_chromium.py" || status=1
printf '%s' "$took"
exit "$status"
