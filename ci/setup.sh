#!/usr/bin/env bash
# Installs the packages that are missing, and nothing (nor any network) when all are there.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage='usage: ci/setup.sh [--program] [--lint] [--fuzz] [--web] [--docs] [--mutate] [--portability]
Installs what building, testing and reproducing need on Debian 12, with apt-get, as root or through sudo, and other
programs and libraries that judge ours in the tests with npm into build/node.
  --program leaves out the judges of the tests
  --lint   also installs what only ci/lint.sh needs
  --fuzz   also installs what only ci/fuzz.sh needs
  --web    also installs what only ci/web.sh needs
  --docs   also installs what only ci/docs.sh needs
  --mutate also installs what only ci/mutate.sh needs
  --portability also installs what only ci/portability.sh needs'
usage_if_asked "$usage" "$@"

# One package a line, and why.
packages='
g++                 # C++20 compiler
cmake               # build, tests, install
ninja-build         # the generator of the presets
curl                # ci/fetch_models.sh
ca-certificates     # ci/fetch_models.sh: https
ffmpeg              # videos
git                 # lists the tracked files for ci/lint.sh, records the version
libeigen3-dev       # double-precision oracle of the tests
libopenmesh-dev     # the mesh surface
libtinygltf-dev     # reads glTF
libassimp-dev       # reads Collada, MD5, X
zlib1g-dev          # compressed arrays of FBX
libdraco-dev        # KHR_draco_mesh_compression of glTF
libmeshoptimizer-dev # EXT_meshopt_compression of glTF
nlohmann-json3-dev  # run.json, the golden manifest; needed by tinygltf
libstb-dev          # text in pictures; needed by tinygltf
libcli11-dev        # command line of the skinlight program
libpng-dev          # pictures
libgtest-dev        # C++ tests
libgmock-dev        # C++ tests: matchers
libbenchmark-dev    # benchmarks
libboost-dev        # 200-bit numbers in a test of the truth
glslang-tools       # shaders/translate.py and its tests: a strict GLSL compiler, SPIR-V
spirv-cross         # shaders/translate.py and its tests: HLSL
spirv-tools         # tests of shaders/translate.py: spirv-val
libosmesa6          # off-screen GL context, loaded at run time
libegl1             # EGL contexts, loaded at run time
libegl-mesa0        # EGL contexts: Mesa behind libegl1
libgl1-mesa-dri     # llvmpipe, the software renderer
python3             # figures and report; reads repro/models.json for ci/fetch_models.sh
python3-glad        # generates the GL and EGL loaders when CMake configures
python3-numpy       # figures
python3-matplotlib  # figures
python3-jinja2      # pages: templates
python3-pil         # the report page: small pictures
python3-pytest      # Python tests
python3-yaml        # tests of the recipes for CI; ci/survey.sh: its configuration
snakemake           # ci/survey.sh and its tests: runs the jobs, on one machine or a cluster
python3-dev         # the Python package: headers
pybind11-dev        # the Python package: bindings
python3-hypothesis  # tests of the Python package
python3-venv        # ci/python.sh: installs the package into an environment of its own
python3-mypy        # ci/python.sh: annotations of the Python package
python3-nbclient    # ci/python.sh: runs the notebooks
python3-ipykernel   # ci/python.sh: runs the notebooks
fonts-dejavu-core   # the font of pictures and figures
'
lint_packages='
clang-format        # layout of the C++ code
clang-tidy          # mistakes in the C++ code
'
fuzz_packages='
clang               # libFuzzer and its compiler
libclang-rt-dev     # the sanitizers of clang
'
web_packages='
chromium            # tests in a browser
emscripten          # the npm package: WebAssembly
'
web_modules=
docs_packages='
doxygen             # the documentation site
'
mathjax=
judging=1
mutate_packages='
python3-clang       # finds the expressions to change
'
portability_packages='
clang                  # another compiler
g++-aarch64-linux-gnu  # another machine
qemu-user-static       # which runs in emulation
'
# Another Node.js than Debian's will do as well.
if ! command -v npm >/dev/null; then
  packages+='
nodejs              # runs the judges of the tests that come from npm
npm                 # installs them
'
fi
for argument in "$@"; do
  case $argument in
    --program) judging= ;;
    --lint) packages+=$lint_packages ;;
    --fuzz) packages+=$fuzz_packages ;;
    --web)
      packages+=$web_packages
      web_modules='
esbuild@0.24.2                    # bundles the lab
uplot@1.6.32                      # the lab: the curve of errors
puppeteer-core@23.11.1            # tests of the lab: drives Chromium
@babylonjs/core@8.56.2            # tests of the npm package: engines
@babylonjs/loaders@8.56.2
draco3dgltf@1.5.7                 # tests of the npm package: tools that edit baked files
meshoptimizer@0.22.0
gltfpack@0.22.0
' ;;
    --docs) packages+=$docs_packages mathjax=mathjax@3.2.2 ;;
    --mutate) packages+=$mutate_packages ;;
    --portability) packages+=$portability_packages ;;
    *)
      printf '%s\n' "$usage" >&2
      exit 2 ;;
  esac
done

if ! { command -v dpkg-query && command -v apt-get; } >/dev/null; then
  echo "ci/setup.sh: this is no Debian; going on with what is installed. What is needed, by Debian's names:$packages" >&2
  exit 0
fi
missing=$(comm -23 \
  <(sed 's/#.*//' <<<"$packages" | tr -d ' ' | sed '/^$/d' | sort -u) \
  <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p' | sort -u))
if [ -n "$missing" ]; then
  as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
      echo "ci/setup.sh: cannot become root without a password; run 'sudo apt-get install" $missing"' first" >&2
      exit 2
    fi
    as_root=(sudo -n)
  fi
  echo 'ci/setup.sh: installing' $missing
  apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" </dev/null; }
  apt update
  apt install --yes --no-install-recommends $missing >/dev/null
fi

# Judges of the tests, from npm. What cannot be installed fails the tests that ask it, and nothing else.
judges=$web_modules'
gltf-validator@2.0.0-dev.3.10     # by Khronos: baked files
fbx2gltf@0.9.7                    # built on the FBX SDK of Autodesk: the reader of FBX
three@0.170.0                     # the reader of glTF: posed positions
mikktspace@1.1.1                  # computed tangents
@gltf-transform/core@4.5.1        # computed tangents: how glTF has them
@gltf-transform/extensions@4.5.1
@gltf-transform/functions@4.5.1
@microsoft/sarif-multitool-linux@5.7.0  # by an author of SARIF: the reports of check
'
node=$root/build/node
absent=''
while read -r judge; do
  [ -z "$judging" ] || [ -f "$node/node_modules/${judge%@*}/package.json" ] || absent+=" $judge"
done < <(sed 's/#.*//; s/ *$//; /^$/d' <<<"$judges")
if [ -n "$absent" ]; then
  echo "ci/setup.sh: installing$absent into build/node"
  npm install --silent --no-audit --no-fund --prefix "$node" $absent >/dev/null ||
    echo 'ci/setup.sh: could not install them all; the tests that ask the others will fail' >&2
fi
# These packages forget to mark their programs as such.
for program in fbx2gltf/bin/Linux/FBX2glTF @microsoft/sarif-multitool-linux/Sarif.Multitool; do
  program=$node/node_modules/$program
  if [ -f "$program" ] && [ ! -x "$program" ]; then chmod +x "$program"; fi
done

# Sets the formulas of the documentation site.
if [ -n "$mathjax" ] && [ ! -f "$root/build/node/node_modules/mathjax/es5/tex-chtml.js" ]; then
  echo "ci/setup.sh: installing $mathjax into build/node"
  npm install --silent --no-audit --no-fund --prefix "$root/build/node" "$mathjax" >/dev/null
fi
