"""Builds the wheel: CMake compiles skinlight._core, this packs it with the package's Python. Needs CMake, a C++20 compiler
and what ci/setup.sh installs; no network and no other Python package.

    pip install --no-build-isolation ./lib/python
    pip install --no-build-isolation ./lib/python --config-settings build-dir=build/release

build-dir: a folder that CMake builds in, relative to the top of the checkout; build/python by default.
"""

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def version():
    return re.search(r"project\(skinlight VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


def built(folder):
    """The package as CMake leaves it in a build folder."""
    cmake = shutil.which("cmake")
    if not cmake:
        sys.exit("skinlight: building needs cmake, ninja or make, and a C++20 compiler")
    if not (folder / "CMakeCache.txt").exists():
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        off = [f"-D{name}=OFF" for name in ("SKINLIGHT_BUILD_TESTS", "SKINLIGHT_BUILD_BENCHMARKS",
                                            "SKINLIGHT_BUILD_REPRO", "SKINLIGHT_INSTALL")]
        subprocess.run([cmake, "-S", ROOT, "-B", folder, *generator, *off, "-DSKINLIGHT_BUILD_PYTHON=ON",
                        f"-DPython3_EXECUTABLE={sys.executable}"], check=True)
    subprocess.run([cmake, "--build", folder, "--target", "skinlight_python", "--parallel", str(os.cpu_count())],
                   check=True)
    if not list((folder / "python/skinlight").glob("_core" + sysconfig.get_config_var("EXT_SUFFIX"))):
        sys.exit(f"skinlight: {folder} was configured for another Python than {sys.executable}")
    return folder / "python"


def line_of_record(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = built(ROOT / (config_settings or {}).get("build-dir", "build/python"))
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    tag = f"{python}-{python}-{re.sub(r'[-.]', '_', sysconfig.get_platform())}"
    info = f"skinlight-{version()}.dist-info"
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    files = {path.relative_to(package).as_posix(): path.read_bytes() for path in sorted(package.rglob("*"))
             if path.suffix in (".py", ".pyi", ".typed") or path.name.endswith(suffix)}
    files[f"{info}/METADATA"] = (f"Metadata-Version: 2.1\nName: skinlight\nVersion: {version()}\n"
                                 "Summary: Right normals of skinned meshes\nLicense: MIT\nRequires-Python: >=3.10\n"
                                 "Requires-Dist: numpy\nProvides-Extra: plot\n"
                                 "Requires-Dist: matplotlib; extra == 'plot'\n").encode()
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: skinlight\nRoot-Is-Purelib: false\n"
                              f"Tag: {tag}\n").encode()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = "".join(line_of_record(name, data) for name, data in files.items()) + f"{info}/RECORD,,\n"
    files[f"{info}/RECORD"] = record.encode()
    name = f"skinlight-{version()}-{tag}.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            wheel.writestr(path, data)
    return name
