"""Rules about the sources of experiments, and about tables elsewhere, that no compiler holds."""

import json
import re
from pathlib import Path

import pytest

REPRO = Path(__file__).parent.parent / "repro"
PAPERS = [paper for paper in json.loads((REPRO / "papers.json").read_text(encoding="utf-8"))["papers"]
          if paper["experiments"]]
SOURCES = sorted([*REPRO.rglob("*.cpp"), *REPRO.rglob("*.h")])
LITERAL = r'"(?:[^"\\\n]|\\.)*"'


@pytest.mark.parametrize("paper", [paper["id"] for paper in PAPERS])
def test_experiments_borrow_from_runner_and_study_only(paper):
    sources = sorted((REPRO / paper).iterdir())
    assert sources
    for source in sources:
        included = re.findall(r'#include "repro/(\w+)/', source.read_text(encoding="utf-8"))
        assert set(included) <= {"runner", "study"}, source.name


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper["id"])
def test_an_experiment_is_a_source_and_its_claims(paper):
    stems = {path.name.removesuffix(".claims.json") for path in (REPRO / paper["id"]).glob("*.claims.json")}
    assert stems == set(paper["experiments"])


def test_papers_have_one_form():
    fields = {frozenset(paper) for paper in json.loads((REPRO / "papers.json").read_text(encoding="utf-8"))["papers"]}
    assert len(fields) == 1


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.relative_to(REPRO).as_posix())
def test_string_literals_are_whole_sentences_or_lines(source):
    """A literal that goes on in the next one ends a sentence or a printed line."""
    text = source.read_text(encoding="utf-8")
    for run in re.finditer(rf'(?<![R\w"]){LITERAL}(?:\s*\n\s*{LITERAL})+', text):
        for piece in re.findall(LITERAL, run.group(0))[:-1]:
            assert re.search(r'(\\n|[.?!:] ?)"$', piece), piece


LIBRARY = REPRO.parent / "lib/skinlight"


def kernels_outside_of_the_table(text):
    table = re.search(r"using KernelTable =\s*KernelList<([^>]*)>", text)[1]
    return set(re.findall(r"^struct (\w+)\s*:\s*Of<", text, flags=re.MULTILINE)) - set(re.findall(r"\w+", table))


def test_every_kernel_stands_in_the_table():
    text = (LIBRARY / "skinning/kernel_table.h").read_text(encoding="utf-8")
    assert text.count(": Of<") > 20
    assert kernels_outside_of_the_table(text) == set()


def test_a_kernel_that_the_table_lacks_is_found():
    text = "struct A : Of<x> {};\nstruct B\n    : Of<y> {};\nusing KernelTable =\n    KernelList<A>;\n"
    assert kernels_outside_of_the_table(text) == {"B"}


def readers_that_nothing_fuzzes(headers, targets):
    readers = re.findall(r"^Model (parse_\w+)\(", "\n".join(headers), flags=re.MULTILINE)
    return {reader for reader in readers if not re.search(rf"\b{reader}\(", targets)}


def test_every_reader_of_models_is_fuzzed():
    headers = [path.read_text(encoding="utf-8") for path in sorted(LIBRARY.glob("asset/*/*.h"))]
    targets = (LIBRARY / "asset/fuzz/targets.cpp").read_text(encoding="utf-8")
    assert len(re.findall(r"^Model parse_", "\n".join(headers), flags=re.MULTILINE)) >= 3
    assert readers_that_nothing_fuzzes(headers, targets) == set()


def test_a_reader_that_nothing_fuzzes_is_found():
    assert readers_that_nothing_fuzzes(["Model parse_a(int);", "Model parse_b();"], "parse_b()") == {"parse_a"}


def number_formats(header):
    """The names of the rows of kNumberFormats."""
    return re.findall(r'\{NumberFormat::\w+, "(\w+)"', header)


def test_packages_for_engines_read_every_number_format():
    header = (LIBRARY / "core/number_format.h").read_text(encoding="utf-8")
    package = (REPRO.parent / "lib/web/skinlight/record.mjs").read_text(encoding="utf-8")
    stored = re.search(r"^const TYPES = \{(.*)\};$", package, flags=re.MULTILINE)[1]
    assert re.findall(r"(\w+):", stored) == number_formats(header)
