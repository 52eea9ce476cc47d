"""Kernels only use what the specifications of Vulkan and GLSL bound: + - * / within 2.5 units in the last place, sqrt and
inversesqrt within 2, and what is made of these. sin, pow, normalize, mix, fma ... may cost half of the digits on one
graphics processor and none on another, and no cell of golden/stability.json would know."""

import re
from pathlib import Path

import pytest

KERNELS = sorted((Path(__file__).parent / "kernels").glob("*.glsl"))
# dot and cross are sums of products; select takes one of two; ratio(n, d) is a constant of two integers, shortest_square()
# and longest_square() are constants of the numbers' type.
ALLOWED = {"dot", "cross", "select", "ratio", "sqrt", "inversesqrt", "shortest_square", "longest_square"}
TYPES = {"real", "vec3", "mat3", "mat4x3"}
WORDS = {"for", "return"}


def code_of(text):
    return re.sub(r"^\s*#.*$", "", re.sub(r"//.*", "", text), flags=re.MULTILINE)


def functions_of(text):
    """The names of the functions that a kernel file defines."""
    return set(re.findall(r"^\w+ (\w+)\([^;{]*\)\s*\{", text, re.MULTILINE))


DEFINED = set().union(*(functions_of(code_of(path.read_text(encoding="utf-8"))) for path in KERNELS))


def forbidden(text):
    """What a kernel's text calls, or writes, besides."""
    text = code_of(text)
    calls = set(re.findall(r"\b([A-Za-z_]\w*)\s*\(", text)) - ALLOWED - TYPES - WORDS - DEFINED
    return calls | set(re.findall(r"\b(?:double|float|half|min16float|mediump|lowp|if|while)\b|[?%]|<<|>>", text))


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda path: path.stem)
def test_kernels_use_what_specifications_bound(kernel):
    assert not forbidden(kernel.read_text(encoding="utf-8"))


@pytest.mark.parametrize("planted", ["v * pow(l2, real(-0.5))", "normalize(v)", "length(v)", "fma(a, b, c)",
                                     "c ? a : b", "mediump vec3 v", "sin (x)", "float(a)"])
def test_others_are_found(planted):
    text = KERNELS[0].read_text(encoding="utf-8")
    assert forbidden(text + f"\nvec3 planted(vec3 v) {{ return {planted}; }}\n") - {"planted"}
    assert not forbidden(text + "\n// " + planted)
