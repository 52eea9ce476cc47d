"""The script of kinds side by side on made-up tables and pictures."""

import sys
from pathlib import Path

import pytest

from common import InputError, use_style
from conftest import capsule_picture, make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import skinning_kinds


def write_tables(out):
    from matplotlib.image import imsave

    folder = write_run(out, make_run(id=skinning_kinds.EXPERIMENT))
    (folder / "kinds.csv").write_text("kind,twist_section_share,bend_rms\n" + "".join(
        f"{kind},0.{i}5,0.1{i}\n" for i, (kind, _) in enumerate(skinning_kinds.SHOWN)))
    (folder / "examples.csv").write_text("examples,rms\n2,0.4\n9,0.1\n")
    for kind, _ in skinning_kinds.SHOWN:
        for motion in ("twist", "bend"):
            imsave(folder / f"{motion}_{kind}.png", capsule_picture(False, (0.5, 0.5, 0.5)))
    return folder


def test_every_kind_has_its_own_numbers(out):
    folder = write_tables(out)
    use_style()
    words = [text.get_text() for axes in skinning_kinds.compose(folder).axes for text in axes.texts]
    assert words[0::2] == [f"section {i}5% of rest".replace("05", "5") for i in range(5)]
    assert words[1::2] == [f"0.1{i}0 off (RMS)" for i in range(5)]


def test_a_kind_without_a_row_is_named(out):
    folder = write_tables(out)
    table = folder / "kinds.csv"
    table.write_text("\n".join(line for line in table.read_text().splitlines() if not line.startswith("shapes")))
    use_style()
    with pytest.raises(InputError, match="kinds.csv: kind shapes: no row"):
        skinning_kinds.compose(folder)
