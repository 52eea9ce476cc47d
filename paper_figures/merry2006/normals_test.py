"""The script of Merry's normals on made-up angles."""

import sys
from pathlib import Path

import matplotlib.image
import numpy
import pytest

from common import InputError, use_style
from conftest import make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import normals


def write_normals(out):
    folder = write_run(out, make_run(id=normals.EXPERIMENT))
    lines = ["bones,solved_rad,inverse_transpose_rad,autodiff_rad"]
    lines += [f"{n},{n}e-15,{n}e-14,{n}e-13" for n in range(1, 9)]
    (folder / "agreement.csv").write_text("\n".join(lines) + "\n")
    for name, _ in normals.UPPER + normals.LOWER:
        matplotlib.image.imsave(folder / name, numpy.full((30, 20, 3), 0.5))
    return folder


def test_curves_are_those_of_the_table(out):
    folder = write_normals(out)
    use_style()
    lines = {line.get_label(): line for line in normals.compose(folder).axes[-1].get_lines()}
    assert lines["automatic differentiation"].get_ydata() == pytest.approx([n * 1e-13 for n in range(1, 9)])
    assert lines["inverse transpose, solved"].get_ydata() == pytest.approx([n * 1e-15 for n in range(1, 9)])


def test_missing_column_is_named(out):
    folder = write_normals(out)
    table = folder / "agreement.csv"
    table.write_text(table.read_text().replace("autodiff_rad", "other"))
    with pytest.raises(InputError, match="agreement.csv: has no column autodiff_rad"):
        normals.compose(folder)
