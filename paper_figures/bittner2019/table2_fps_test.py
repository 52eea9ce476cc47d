"""The table's script on made-up speeds."""

import sys
from pathlib import Path

import pytest

from common import InputError, use_style
from conftest import capsule_picture, make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import table2_fps


def write_results(out):
    import matplotlib.image

    folder = write_run(out, make_run(id=table2_fps.EXPERIMENT))
    lines = [",".join(table2_fps.COLUMNS)]
    for r, (rig, _) in enumerate(table2_fps.RIGS):
        for m, (method, _) in enumerate(table2_fps.METHODS):
            lines.append(f"{rig},{1000 * (r + 1)},{2000 + r},{5 + r},{method},{100 - m},{50 - 10 * m + r},{4 + m},{4 / (4 + m)}")
            matplotlib.image.imsave(folder / f"{rig}_{method}.png", capsule_picture(m > 0, (0.7, 0.7, 0.8)))
    (folder / "fps.csv").write_text("\n".join(lines) + "\n")
    return folder


def test_cells_show_speeds_and_their_ratios(out):
    folder = write_results(out)
    use_style()
    figure = table2_fps.compose(folder)
    texts = [text.get_text() for text in figure.texts]
    assert "50 frames/s, ×1.00" in texts and "30 frames/s, ×0.67" in texts
    assert "printed 98, ×0.98" in texts
    assert "3,000 vertices" in texts and "7 bones" in texts
    assert len(figure.axes) == 3 * len(table2_fps.SHOWN)


def test_missing_row_is_named(out):
    folder = write_results(out)
    table = folder / "fps.csv"
    table.write_text("\n".join(line for line in table.read_text().splitlines() if not line.startswith("wolf,2000,2001,6,crs")))
    with pytest.raises(InputError, match="fps.csv: wolf, crs: has no row"):
        table2_fps.compose(folder)
