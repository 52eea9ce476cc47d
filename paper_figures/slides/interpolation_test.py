"""The curves' script on made-up tables."""

import sys
from pathlib import Path

import pytest

from common import InputError, use_style
from conftest import make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import interpolation


def write_tables(out):
    folder = write_run(out, make_run(id=interpolation.EXPERIMENT))
    ways = [way for way, *_ in interpolation.WAYS]
    tables = {
        "speed.csv": ["way,turn_deg,t,turned_deg,speed"]
        + [f"{way},{turn},{t},{t * turn},{1 + t}" for way in ("slerp", "qlerp") for turn in (60, 120, 180)
           for t in (0, 0.5, 1)],
        "paths.csv": ["way,t,x,y,z,turned_deg,departure"]
        + [f"{way},{t},{t + i},{t},0,90,{i * t}" for i, way in enumerate(ways) for t in (0, 0.5, 1)],
        "casteljau.csv": ["way,t,x,y,axis_x,axis_y,departure"]
        + [f"{way},{t},{t},{t * t},1,0,0" for way in ("linear", "screw") for t in (0, 0.5, 1)],
        "interwoven.csv": ["parts,difference", "1,0.5", "2,0.25"],
    }
    for name, lines in tables.items():
        (folder / name).write_text("\n".join(lines) + "\n")
    return folder


def test_every_way_is_drawn_with_its_own_values(out):
    folder = write_tables(out)
    use_style()
    departure = interpolation.compose(folder).axes[2]
    lines = {line.get_label(): list(line.get_ydata()) for line in departure.get_lines()}
    assert lines["matrix entries"] == [0, 0, 0]
    assert lines["matrix powers"] == [0, 1.5, 3]
    assert lines["screw (dual quaternions)"] == [0, 2, 4]


def test_a_way_without_rows_is_named(out):
    folder = write_tables(out)
    table = folder / "paths.csv"
    table.write_text("\n".join(line for line in table.read_text().splitlines() if not line.startswith("log,")))
    use_style()
    with pytest.raises(InputError, match="paths.csv: way log: no rows"):
        interpolation.compose(folder)
