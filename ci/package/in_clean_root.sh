# Run by ci/packages.sh in a Debian that knows nothing of skinlight but /packages and /examples.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
apt() { apt-get -qq -o Dpkg::Use-Pty=0 -y --no-install-recommends "$@" >/tmp/apt.log 2>&1 || { cat /tmp/apt.log; exit 1; }; }
apt update
cd /tmp

# Python: the five lines, and a character.
characters_by() {
  "$1" - <<'PY'
import skinlight
rig = skinlight.read("arm.gltf")
posed = rig.skin(rig.pose("bend", 1.0))
assert posed.normals.shape == (984, 3)
comparison = skinlight.compare("arm.gltf", frames=5)
print(comparison)
assert comparison.rows[0].errors.mean > 2 * comparison.rows[1].errors.mean
PY
}

# As a wheel, in an environment of its own: the shared libraries that lib/python/README.md names, and nothing more.
apt install python3-venv python3-numpy \
  libassimp5 libdraco7 libmeshoptimizer2d libopenmesh1 libtinygltf2d
python3 /examples/make_arm.py arm.gltf
python3 -m venv --system-site-packages wheel
wheel/bin/pip install --quiet --disable-pip-version-check --no-index --no-deps /packages/skinlight-*.whl
characters_by wheel/bin/python

# As a package.
if python3 -c 'import skinlight' 2>/dev/null; then exit 1; fi
apt install /packages/python3-skinlight_*.deb
characters_by python3

# The program.
apt install /packages/skinlight_*.deb
skinlight --version
skinlight check arm.gltf >/dev/null
skinlight bake arm.gltf -o baked.glb >/dev/null
for file in usr/share/bash-completion/completions/skinlight usr/share/man/man1/skinlight.1; do
  dpkg -L skinlight | grep -qx "/$file"
done

# The recipes for CI.
apt install python3-pytest python3-yaml
python3 -B -m pytest -q -p no:cacheprovider /examples/recipes_test.py

# C, by pkg-config.
apt install /packages/libskinlight-dev_*.deb gcc libc6-dev pkg-config
gcc -std=c99 /examples/judge_normals.c $(pkg-config --cflags --libs skinlight) -o judge_normals
./judge_normals | grep -x 'skinlight .*: rest'

# C++, by CMake: a component's packages and no others.
apt install g++ cmake make
if cmake -S /examples/components -B build -DCOMPONENT=skinning >configured 2>&1; then exit 1; fi
tr -s '[:space:]' ' ' <configured | grep -o 'skinlight::mesh needs OpenMesh (on Debian: libopenmesh-dev)'
apt install libopenmesh-dev
cmake -S /examples/components -B build -DCOMPONENT=skinning >/dev/null
cmake --build build >/dev/null
build/uses_skinning
echo 'packages: installed and used in a clean root'
