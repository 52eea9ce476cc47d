"""The script of parts in turns on made-up tables."""

import sys
from pathlib import Path

import pytest

from common import InputError, use_style
from conftest import make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import log_blending


def write_tables(out):
    folder = write_run(out, make_run(id=log_blending.EXPERIMENT))
    tables = {
        "orders.csv": ["parts,order,step,x,y"]
        + [f"{parts},{order},{step},{step},{shift + step / parts}" for parts in (1, 2, 4)
           for shift, (order, *_) in enumerate(log_blending.WORDS) for step in (0, 1, 2)]
        + [f"0,sum,{step},{step},0.5" for step in (0, 1, 2)],
        "orders_apart.csv": ["parts,apart", "1,0.5", "2,0.25"],
        "de_boor.csv": ["way,t,x,y,axis_x,axis_y"]
        + [f"{way},{t},{t},{t * t},1,0" for way in ("linear", "screw", "key") for t in (0, 1, 2)],
    }
    for name, lines in tables.items():
        (folder / name).write_text("\n".join(lines) + "\n")
    return folder


def test_both_orders_end_where_their_table_says(out):
    folder = write_tables(out)
    use_style()
    halves = log_blending.compose(folder).axes[1]
    ends = {tuple(line.get_xydata()[-1]) for line in halves.get_lines() if line.get_marker() == "o"}
    assert ends == {(2.0, 1.0), (2.0, 2.0)}


def test_an_order_without_rows_is_named(out):
    folder = write_tables(out)
    table = folder / "orders.csv"
    table.write_text("\n".join(line for line in table.read_text().splitlines() if "turn_first" not in line))
    use_style()
    with pytest.raises(InputError, match="orders.csv: parts 1, order turn_first: no rows"):
        log_blending.compose(folder)
