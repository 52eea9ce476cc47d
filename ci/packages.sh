#!/usr/bin/env bash
# Packs the Debian packages, installs them into a clean Debian without the sources, and uses them there.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

no_arguments 'usage: ci/packages.sh
Builds build/release/packages/*.deb: skinlight (program, library for C), libskinlight-dev, python3-skinlight, and the wheel
of Python. Then makes a clean Debian in build/clean-root with debootstrap, as root and with a network, installs them, and
compiles and runs the examples there.' "$@"

build_release skinlight skinlight_c skinlight_python
cd "$root"
rm -rf build/release/packages
(cd build/release && cpack --config CPackConfig.cmake >/dev/null)
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --no-index --no-build-isolation \
  --config-settings build-dir=build/release --wheel-dir build/release/packages ./lib/python
ls build/release/packages/*.deb build/release/packages/*.whl

if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null; then
  echo 'ci/packages.sh: using the packages in a clean root needs root and debootstrap' >&2
  exit 2
fi
base=$root/build/clean-root/base
if [ ! -e "$base/made" ]; then
  rm -rf "$base"
  debootstrap --variant=minbase bookworm "$base" >"$root/build/debootstrap.log" ||
    { tail -5 "$root/build/debootstrap.log" >&2; exit 1; }
  touch "$base/made"
fi
clean=$root/build/clean-root/run
rm -rf "$clean"
cp -a "$base" "$clean"
cp /etc/resolv.conf "$clean/etc/resolv.conf"
cp -a /etc/apt/. "$clean/etc/apt/"
mkdir "$clean/packages" "$clean/examples"
cp build/release/packages/*.deb build/release/packages/*.whl "$clean/packages"
cp lib/examples/{judge_normals.c,make_arm.py} ci/package/in_clean_root.sh "$clean/examples"
cp ci/recipes_test.py "$clean/examples"
cp -r ci/package/components "$clean/examples"
cp -r lib/docs/ci "$clean/examples/recipes"
chroot "$clean" bash /examples/in_clean_root.sh
rm -rf "$clean"
