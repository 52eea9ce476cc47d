"""Rules about the sources of experiments that no compiler holds."""

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
