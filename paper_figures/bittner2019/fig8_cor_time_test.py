"""The figure's script on made-up times."""

import sys
from pathlib import Path

import pytest

from common import InputError, use_style
from conftest import make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import fig8_cor_time


def write_tables(out):
    folder = write_run(out, make_run(id=fig8_cor_time.EXPERIMENT))
    lines = ["rig,way,threads,printed_s,seconds,cpu_seconds"]
    for r, (rig, _) in enumerate(fig8_cor_time.RIGS):
        for w, (way, _) in enumerate(fig8_cor_time.WAYS):
            printed = "" if way == "pairs" else 9000 / (1 + w + r)
            lines.append(f"{rig},{way},{1 if way == 'naive' else 3},{printed},{20 / 10 ** (w + r)},{w + 1}")
    (folder / "times.csv").write_text("\n".join(lines) + "\n")
    (folder / "differences.csv").write_text(
        "rig,vertices,triangles,bones,search_max_percent,search_lost,subdivision_growth,subdivision_max_percent\n"
        "cuboid,10,1234,5,.5,0,1.25,.25\nraptor,20,576,24,6,2,46.65,7\n")
    return folder


def test_cells_show_our_time_with_the_printed_one_below(out):
    folder = write_tables(out)
    use_style()
    axes = fig8_cor_time.compose(folder).axes[0]
    texts = [text.get_text() for text in axes.texts]
    assert "20 s" in texts and "printed 2.5 h" in texts
    assert "20 ms" in texts and "0.2 s" in texts
    assert "3 threads" in texts and "3 threads\nand BFS" in texts
    assert f"printed >{fig8_cor_time.duration(3000)}" in texts


@pytest.mark.parametrize("seconds, words", [
    (3600, "1 h"), (3564, "59.4 min"), (120, "2 min"), (119, "1.2e+02 s"), (0.1, "0.1 s"), (0.099, "99 ms")])
def test_durations_change_their_unit_where_the_larger_one_begins(seconds, words):
    assert fig8_cor_time.duration(seconds) == words


def test_bars_are_the_largest_differences(out):
    folder = write_tables(out)
    use_style()
    axes = fig8_cor_time.compose(folder).axes[1]
    assert [bar.get_width() for bar in axes.patches] == [0.5, 6, 0.25, 7]
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        "cuboid\n1,234 triangles, ×1.2 if subdivided", "quadruped, 79 bones\n576 triangles, ×46.6 if subdivided"]


def test_missing_time_is_named(out):
    folder = write_tables(out)
    table = folder / "times.csv"
    table.write_text("\n".join(line for line in table.read_text().splitlines() if "wolf,search" not in line))
    with pytest.raises(InputError, match="times.csv: wolf, search: has no time"):
        fig8_cor_time.compose(folder)
