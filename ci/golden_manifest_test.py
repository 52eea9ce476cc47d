"""References are held to the tolerances that were reasoned about, whatever the manifest came to say."""

import json
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent.parent / "golden"
ENTRIES = json.loads((GOLDEN / "manifest.json").read_text(encoding="utf-8"))["entries"]


@pytest.mark.parametrize("name", sorted(ENTRIES))
def test_tolerances_are_no_wider_than_reasoned(name):
    """numerics: other vector widths round the last bits of a float otherwise; edges fall the other way in .1 %."""
    entry = ENTRIES[name]
    assert 0 < entry["normals"]["max_radians"] <= 1e-5
    assert 0 < entry["images"]["channel"] <= 2
    assert 0 < entry["images"]["share"] <= .001
    assert 0 < entry["tables"]["share"] <= 1e-6
    assert 0 < entry["tables"]["number"] <= 1e-9
    assert entry["normals"]["why"] and entry["images"]["why"] and entry["tables"]["why"]


def test_every_reference_belongs_to_an_entry():
    for kind in ("normals", "images", "tables"):
        folders = {path.parent.relative_to(GOLDEN / kind).as_posix() for path in (GOLDEN / kind).rglob("*.*")}
        assert folders <= set(ENTRIES)
