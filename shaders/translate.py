#!/usr/bin/env python3
"""Writes a shader that includes the kernels as one GLSL file, for WebGL2 (GLSL ES 3.00), as SPIR-V or as HLSL (glslang and
SPIRV-Cross)."""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

SHADERS = pathlib.Path(__file__).resolve().parent
STAGES = {".vert": "vert", ".frag": "frag"}


class Failed(Exception):
    """What the user has to know, in one message."""


def resolve(name, folders, names={}, seen=None):
    """The file with every #include replaced by its text; later includes of one file are empty, as in the library. names:
    of files, by the define that an #include may give in their place."""
    seen = set() if seen is None else seen
    path = next((folder / name for folder in folders if (folder / name).is_file()), None)
    if path is None:
        raise Failed(f"{name}: not found in {', '.join(map(str, folders))}")
    if path in seen:
        return ""
    seen.add(path)
    lines = []
    for line in path.read_text().splitlines(keepends=True):
        include = re.match(r'\s*#\s*include\s+(?:"([^"]+)"|(\w+))', line)
        if include and not include[1] and include[2] not in names:
            raise Failed(f"{name}: #include {include[2]} needs -D {include[2]}=FILE")
        lines.append(resolve(include[1] or names[include[2]], folders, names, seen) if include else line)
    return "".join(lines)


def with_defines(text, defines):
    """`NAME=VALUE` after the #version line, in place of the text's own."""
    if not text.startswith("#version"):
        raise Failed("the shader does not start with #version")
    version, _, rest = text.partition("\n")
    for name in (define.partition("=")[0] for define in defines):
        rest = re.sub(rf"(?m)^#define {re.escape(name)} .*$", "", rest)
    lines = [f"#define {name} {value}".rstrip() for name, _, value in (define.partition("=") for define in defines)]
    return "\n".join([version, *lines, rest])


def run(*command):
    try:
        result = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    except FileNotFoundError:
        raise Failed(f"{command[0]} is not installed (Debian: glslang-tools, spirv-cross)") from None
    if result.returncode != 0:
        raise Failed(f"{command[0]}: {(result.stdout + result.stderr).strip()}")
    return result.stdout


def gles(text):
    """The same in GLSL ES 3.00, which has no default precision for floats of pixels and no arrays of attributes: each
    becomes that many attributes, and their name an array made of them."""
    def apart(match):
        location, kind, name, count = int(match[1]), match[2], match[3], int(match[4])
        parts = [f"{name}_{i}" for i in range(count)]
        declared = [f"layout(location = {location + i}) in {kind} {part};{match[5]}" for i, part in enumerate(parts)]
        return "\n".join([*declared, f"#define {name} {kind}[{count}]({', '.join(parts)})"])
    _, _, rest = text.partition("\n")
    rest = re.sub(r"(?m)^layout\(location = (\d+)\) in (\w+) (\w+)\[(\d+)\];(.*)$", apart, rest)
    return f"#version 300 es\nprecision highp float;\nprecision highp int;\n{rest}"


def translate(text, stage, language):
    """bytes of the shader in `language`."""
    if language == "glsl":
        return text.encode()
    if language == "gles":
        text = gles(text)
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / f"shader.{stage}"
            source.write_text(text)
            run("glslangValidator", "-S", stage, source)
        return text.encode()
    with tempfile.TemporaryDirectory() as folder:
        source, binary = pathlib.Path(folder) / f"shader.{stage}", pathlib.Path(folder) / "shader.spv"
        source.write_text(text)
        # Locations and bindings that the text leaves open are given in the order of declaration.
        run("glslangValidator", "-G", "--aml", "--amb", "-S", stage, source, "-o", binary)
        if language == "spirv":
            return binary.read_bytes()
        return run("spirv-cross", binary, "--hlsl", "--shader-model", "50").encode()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shader", help="a .vert or .frag file, looked for here, in the -I folders and beside this script")
    parser.add_argument("--to", choices=["glsl", "gles", "spirv", "hlsl"], required=True)
    parser.add_argument("-I", dest="folders", action="append", default=[], type=pathlib.Path, metavar="FOLDER",
                        help="where includes are looked for, before the folder of this script")
    parser.add_argument("-D", dest="defines", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("-o", dest="output", type=pathlib.Path, help="otherwise to the standard output")
    options = parser.parse_args()
    stage = STAGES.get(pathlib.Path(options.shader).suffix)
    try:
        if stage is None:
            raise Failed(f"{options.shader}: neither .vert nor .frag")
        files = dict(d.split("=", 1) for d in options.defines if d.endswith(".glsl"))
        text = resolve(options.shader, [pathlib.Path("."), *options.folders, SHADERS], files)
        result = translate(with_defines(text, [d for d in options.defines if not d.endswith(".glsl")]), stage, options.to)
        if options.output:
            options.output.write_bytes(result)
        else:
            sys.stdout.buffer.write(result)
    except (Failed, OSError) as error:
        print(f"translate.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
