"""The shaders outside Mesa: glslang, a stricter compiler, takes them; the HLSL twins compile and keep their inputs."""

import pathlib
import re
import shutil
import subprocess
import sys

import pytest

SHADERS = pathlib.Path(__file__).resolve().parent
KERNELS = sorted(path.name for path in (SHADERS / "kernels").glob("*.glsl"))


def translate(*arguments):
    return subprocess.run([sys.executable, SHADERS / "translate.py", *map(str, arguments)], capture_output=True,
                          cwd=SHADERS.parent, timeout=60)


def compiled_hlsl(path):
    """By glslang's own HLSL front end, and by Microsoft's compiler where there is one."""
    result = subprocess.run(["glslangValidator", "-D", "-V", "-S", "vert", "-e", "main", path, "-o", path.with_suffix(".spv")],
                            capture_output=True, text=True)
    assert result.returncode == 0, result.stdout
    if shutil.which("dxc"):
        subprocess.run(["dxc", "-T", "vs_6_0", "-E", "main", path], check=True, capture_output=True)
    return path.with_suffix(".spv")


@pytest.mark.parametrize("influences", [1, 4, 8])
def test_hlsl_twins_compile(tmp_path, influences):
    source = tmp_path / "shader.vert"
    text = (SHADERS / "programs" / "minimal.vert").read_text()
    # Slots of a second set stand for those of the first: what matters here is that the text compiles.
    source.write_text(re.sub(r"\[s\]", lambda m: "[s % 4]", text) if influences > 4 else text)
    hlsl = tmp_path / "shader.hlsl"
    result = translate(source, "-D", f"INFLUENCES={influences}", "--to", "hlsl", "-o", hlsl)
    assert result.returncode == 0, result.stderr
    subprocess.run(["spirv-val", compiled_hlsl(hlsl)], check=True)


def test_hlsl_keeps_the_attributes_and_the_formula():
    result = translate("programs/minimal.vert", "--to", "hlsl")
    assert result.returncode == 0, result.stderr
    hlsl = result.stdout.decode()
    for location, name in enumerate(["position", "normal", "tangent", "joints", "weights", "deform_alpha", "deform_beta"]):
        assert re.search(rf"\b{name} : TEXCOORD{location};", hlsl)
    assert "PosedVertex lbs_deform(" in hlsl and "cross(v.t, v.b)" in hlsl and "SV_Position" in hlsl


def kernels_in_order():
    """As the library takes them."""
    table = SHADERS.parent / "lib" / "skinlight" / "skinning" / "kernel_table.h"
    return re.findall(r'#include "(kernels/\w+\.glsl)"', table.read_text())


def test_all_kernels_are_glsl_to_a_strict_compiler(tmp_path):
    order = kernels_in_order()
    assert sorted(pathlib.Path(name).name for name in order) == KERNELS
    shader = tmp_path / "all.vert"
    shader.write_text("#version 330 core\n" + "".join(f'#include "{name}"\n' for name in ["include/kernel_prelude.glsl", *order])
                      + "void main() { gl_Position = vec4(0.0); }\n")
    result = translate(shader, "--to", "spirv", "-o", tmp_path / "all.spv")
    assert result.returncode == 0, result.stderr.decode()
    subprocess.run(["spirv-val", tmp_path / "all.spv"], check=True)


@pytest.mark.parametrize("program", sorted(path.name for path in (SHADERS / "programs").iterdir()))
def test_every_program_is_glsl_to_a_strict_compiler(tmp_path, program):
    result = translate(f"programs/{program}", "-D", "KERNEL=lbs_deform(x, f, rest)", "-D", "KERNEL_FILE=kernels/lbs.glsl",
                       "--to", "spirv", "-o", tmp_path / "out.spv")
    assert result.returncode == 0, result.stderr.decode()


def test_all_kernels_are_glsl_es(tmp_path):
    order = kernels_in_order()
    shader = tmp_path / "all.vert"
    shader.write_text("#version 330 core\n" + "".join(f'#include "{name}"\n' for name in ["include/kernel_prelude.glsl", *order])
                      + "void main() { gl_Position = vec4(0.0); }\n")
    result = translate(shader, "--to", "gles")
    assert result.returncode == 0, result.stderr.decode()
    assert result.stdout.decode().startswith("#version 300 es\nprecision highp float;")


@pytest.mark.parametrize("program", ["minimal.vert", "minimal_vectors.vert"])
def test_the_minimal_programs_are_glsl_es(program):
    result = translate(f"programs/{program}", "--to", "gles")
    assert result.returncode == 0, result.stderr.decode()
    text = result.stdout.decode()
    # No array is an attribute, and every attribute is at the place that the original gives it.
    attributes = re.findall(r"layout\(location = (\d+)\) in \w+ (\w+);", text)
    assert [int(location) for location, _ in attributes] == list(range(len(attributes)))
    assert len(re.findall(r"(?m)^(?:layout\(.*\) )?in ", text)) == len(attributes) == (7 if program == "minimal.vert" else 11)


def test_glsl_es_that_does_not_compile_is_an_error(tmp_path):
    shader = tmp_path / "buffer.vert"
    shader.write_text("#version 330 core\nuniform samplerBuffer bones;\nvoid main() { gl_Position = texelFetch(bones, 0); }\n")
    result = translate(shader, "--to", "gles")
    assert result.returncode == 2 and "samplerBuffer" in result.stderr.decode() and result.stdout == b""


def test_one_file_of_glsl_has_no_includes_left():
    text = translate("programs/minimal.vert", "--to", "glsl").stdout.decode()
    assert text.startswith("#version 330 core\n") and "#include" not in text
    assert text.count("struct PosedVertex") == 1


@pytest.mark.parametrize("name, text, word", [
    ("none.vert", None, "not found"),
    ("a.vert", "#version 330 core\n#include \"kernels/none.glsl\"\n", "kernels/none.glsl"),
    ("a.vert", "#version 330 core\nvoid main() { nonsense; }\n", "nonsense"),
    ("a.vert", "void main() {}\n", "#version"),
    ("a.comp", "#version 330 core\n", "neither .vert nor .frag"),
])
def test_errors_say_what_is_wrong(tmp_path, name, text, word):
    if text is not None:
        (tmp_path / name).write_text(text)
    result = translate(tmp_path / name, "--to", "hlsl")
    assert result.returncode == 2 and result.stdout == b""
    assert word in result.stderr.decode() and "Traceback" not in result.stderr.decode()
