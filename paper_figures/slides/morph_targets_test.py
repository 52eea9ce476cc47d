"""The figure's script on made-up errors and pictures."""

import sys
from pathlib import Path

import matplotlib.image
import pytest

from common import InputError, use_style
from conftest import capsule_picture, make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import morph_targets


def write_tube(out):
    folder = write_run(out, make_run(id=morph_targets.EXPERIMENT))
    lines = ["way,segments,rms_deg"]
    for i, (way, *_) in enumerate(morph_targets.CURVES):
        lines += [f"{way},{segments},{1 / (i + segments)}" for segments in (24, 12)]
    (folder / "errors.csv").write_text("\n".join(lines) + "\n")
    for panel in morph_targets.UPPER + morph_targets.LOWER:
        if panel:
            matplotlib.image.imsave(folder / f"{panel[0]}.png", capsule_picture(False, (0.75, 0.75, 0.8)))
    return folder


def test_curves_run_from_coarse_to_fine(out):
    folder = write_tube(out)
    use_style()
    lines = {line.get_label(): list(line.get_ydata())
             for line in morph_targets.compose(folder).axes[-1].get_lines()}
    assert lines["carried tangents, deform factors"] == [1 / 15, 1 / 27]


def test_a_way_without_rows_is_named(out):
    folder = write_tube(out)
    (folder / "errors.csv").write_text("way,segments,rms_deg\nauthored_standard,12,1\n")
    use_style()
    with pytest.raises(InputError, match="errors.csv: way carried_standard: no rows"):
        morph_targets.compose(folder)
