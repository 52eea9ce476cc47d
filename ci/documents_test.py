"""What the documents name exists: paths, functions, tests. A renamed symbol that a document still calls by its old name
fails here."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
IDENTIFIER = r"[A-Za-z_]\w*"
TEST_NAME = re.compile(rf"(?:{IDENTIFIER}/)?({IDENTIFIER})(?:/\*)?\.({IDENTIFIER})(?:/\*)?")


@cache
def files(*patterns):
    """The tracked files and those about to be."""
    listed = subprocess.check_output(["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", *patterns],
                                     cwd=ROOT, text=True)
    return [path for path in (ROOT / name for name in listed.split("\0") if name) if path.is_file()]


@cache
def code():
    """Production sources by path, without comments and includes."""
    sources = {}
    for path in files("lib/*.h", "lib/*.cpp", "shaders/*.glsl", "shaders/*.vert", "shaders/*.frag"):
        if not re.search(r"_(test|bench)\.cpp$|lib/testing/", path.as_posix()):
            text = path.read_text(encoding="utf-8")
            sources[path] = re.sub(r"//[^\n]*|^ *#include[^\n]*", "", text, flags=re.MULTILINE)
    return sources


@cache
def cpp_tests():
    """{(suite, name)} of the C++ tests."""
    found = set()
    for path in files("*_test.cpp"):
        found |= set(re.findall(rf"\b(?:TYPED_)?TEST(?:_F|_P)?\(\s*({IDENTIFIER}),\s*({IDENTIFIER})\s*\)",
                                path.read_text(encoding="utf-8")))
    return found


@cache
def words():
    return set(re.findall(IDENTIFIER, "\n".join(code().values())))


@cache
def strings():
    return set(re.findall(r'"([^"\n]*)"', "\n".join(code().values())))


@cache
def members(name):
    """The words inside every struct, class or enum of that name."""
    found = set()
    for text in code().values():
        for match in re.finditer(rf"\b(?:struct|class|enum class|enum)\s+{name}\b[^;{{]*{{", text):
            depth, end = 1, match.end()
            while depth and end < len(text):
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
            found |= set(re.findall(IDENTIFIER, text[match.end():end]))
    return found


def missing_name(token, owner):
    """Why `token` names nothing, or ''; `owner` is the struct that the cell named last. Modes are named as in strings."""
    if re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", token) and token in strings():
        return ""
    test = TEST_NAME.fullmatch(token)
    if test:
        return "" if test.groups() in cpp_tests() else "no such test"
    scoped = re.fullmatch(rf"({IDENTIFIER})::({IDENTIFIER})", token)
    if scoped:
        return "" if scoped[2] in members(scoped[1]) else "no such member"
    if re.fullmatch(IDENTIFIER, token):
        return "" if token in members(owner) or token in words() else "no such name"
    return "neither a name nor a test"


def rows(text):
    """(line number, {column: cell}) of every row of every table in a document."""
    header = None
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.startswith("|"):
            header = None
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if header is None:
            header = cells
        elif not set("".join(cells)) <= set("-: "):
            yield number, dict(zip(header, cells))


def unknown_names(text):
    wrong = []
    for number, cells in rows(text):
        for cell in cells.values():
            owner = ""
            for token in re.findall(r"`([^`]+)`", cell):
                reason = missing_name(token, owner)
                if reason:
                    wrong.append(f"line {number}: `{token}`: {reason}")
                if "::" in token:
                    owner = token.split("::")[0]
    return wrong


def test_every_name_of_the_notation_is_in_the_code():
    text = (ROOT / "lib/NOTATION.md").read_text(encoding="utf-8")
    assert sum(1 for _ in rows(text)) > 60
    assert unknown_names(text) == []


@pytest.mark.parametrize("token", ["RiggedMesh::p00", "lbs_deforms", "LbsKernels/*.ThisIsNoTest", "a + b"])
def test_a_name_that_is_not_in_the_code_is_found(token):
    assert len(unknown_names(f"| code |\n|---|\n| `RiggedMesh::p0`, `{token}` |\n")) == 1


def place_of(path, document):
    """The file or folder that a document calls `path`, or None."""
    places = [document.parent, ROOT, ROOT / "lib", ROOT / "lib/skinlight", ROOT / "shaders"]
    return next((place / path for place in places if (place / path).exists()), None)


def misplaced_functions(document):
    """Functions of a table of steps that are in none of the files in their row."""
    wrong = []
    for number, cells in rows(document.read_text(encoding="utf-8")):
        if "function" in cells:
            places = [place_of(path, document) for path in re.findall(r"`([^`]+)`", cells["file"])]
            text = "\n".join(code().get(place, "") for place in places if place)
            wrong += [f"line {number}: {name}" for name in re.findall(r"`([^`]+)`", cells["function"])
                      if not re.search(rf"\b{name}\b", text)]
    return wrong


def test_every_step_of_a_vertex_is_where_the_journey_says():
    document = ROOT / "lib/README.md"
    assert document.read_text(encoding="utf-8").count("| function |") == 1
    assert misplaced_functions(document) == []


def test_a_step_that_is_elsewhere_is_found(tmp_path):
    document = tmp_path / "a.md"
    document.write_text("| function | file |\n|---|---|\n| `lbs_deform`, `skin` | `skinning/skin.h` |\n", encoding="utf-8")
    assert misplaced_functions(document) == ["line 3: lbs_deform"]


def test_the_rooms_are_those_of_the_library():
    rooms = {path.relative_to(ROOT / "lib/skinlight").parts[0] for path in files("lib/skinlight/*/CMakeLists.txt")}
    table = (ROOT / "lib/README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)/` \|", table, flags=re.MULTILINE)) == rooms


def missing_paths(document):
    """Links and `paths` of a document that lead nowhere. `<...>`, capitals as in PREFIX/ and * stand for something."""
    text = document.read_text(encoding="utf-8")
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    wrong = []
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if "://" not in target and not (document.parent / target).exists():
            wrong.append(target)
    for target in re.findall(r"`([\w./-]+/[\w./-]*)`", text):
        place_holder = re.search(r"(^|/)[A-Z]+(/|$)|^(/|out/|build/|models/)", target)
        if place_holder or not re.search(r"\.\w+$|/$", target):
            continue
        if place_of(target, document) is None:
            wrong.append(target)
    return wrong


@pytest.mark.parametrize("document", files("*.md", ":!CHANGELOG.md"), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_path_of_a_document_exists(document):
    assert missing_paths(document) == []


def test_a_path_that_leads_nowhere_is_found(tmp_path):
    document = tmp_path / "a.md"
    document.write_text("[x](y.md) `lib/nowhere.h` `lib/skinlight/` [z](a.md)", encoding="utf-8")
    assert missing_paths(document) == ["y.md", "lib/nowhere.h"]
