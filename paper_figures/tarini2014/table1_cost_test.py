"""The table's script on made-up counts."""

import sys
from pathlib import Path

import pytest

from common import InputError, use_style
from conftest import make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import table1_cost


def write_table(out):
    folder = write_run(out, make_run(id=table1_cost.EXPERIMENT))
    lines = ["group,row,influences,printed,ours"]
    for g, group in enumerate(("lbs", "dqs", "bytes")):
        for row, base in (("standard", 100), ("deform", 20), ("naive", 50)):
            for n in (2, 3, 4):
                ours = base + 7 * g + n
                lines.append(f"{group},{row},{n},{ours + (n == 4)},{ours}")
    (folder / "table1.csv").write_text("\n".join(lines) + "\n")
    return folder


def test_cells_show_ours_and_the_printed_value_coloured_where_it_differs(out):
    folder = write_table(out)
    use_style()
    texts = [(text.get_text(), text.get_color()) for text in table1_cost.compose(folder).axes[0].texts]
    assert ("102", "black") in texts and ("102", table1_cost.SOFT) in texts
    assert ("104", "black") in texts and ("105", table1_cost.DIFFERS) in texts
    assert ("+22", "black") in texts and (f"+{100 * 22 / 102:.0f}%", "black") in texts


def test_missing_count_is_named(out):
    folder = write_table(out)
    table = folder / "table1.csv"
    table.write_text("\n".join(line for line in table.read_text().splitlines() if "dqs,deform,3" not in line))
    with pytest.raises(InputError, match="table1.csv: dqs, deform, 3 influences: has no count"):
        table1_cost.compose(folder)
