"""The table's script on made-up sizes."""

import sys
from pathlib import Path

import pytest

from common import InputError, use_style
from conftest import make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import table_memory


def write_table(out):
    folder = write_run(out, make_run(id=table_memory.EXPERIMENT))
    lines = [",".join(table_memory.COLUMNS)]
    for m, (method, _) in enumerate(table_memory.METHODS):
        for i, (mesh, _) in enumerate(table_memory.MESHES):
            lines.append(f"{method},{11 + m},{m},{mesh},{1000 + i},{5 + i},{m}.{i}5,{m}.{i}49,{7 + m},{2 * m},{m}.{i}2")
    (folder / "memory.csv").write_text("\n".join(lines) + "\n")
    return folder


def test_cells_show_the_computed_size_with_the_printed_and_ours_below(out):
    folder = write_table(out)
    use_style()
    texts = [text.get_text() for text in table_memory.compose(folder).axes[0].texts]
    assert "2.15" in texts and "printed 2.15" in texts and "ours 2.12" in texts
    assert "ours 9" in texts and "ours 4" in texts
    assert "13" in texts and "1,001 vertices, 6 bones" in texts


def test_missing_row_is_named(out):
    folder = write_table(out)
    table = folder / "memory.csv"
    table.write_text("\n".join(line for line in table.read_text().splitlines() if "dqs,12,1,wolf" not in line))
    with pytest.raises(InputError, match="memory.csv: dqs, wolf: has no row"):
        table_memory.compose(folder)
