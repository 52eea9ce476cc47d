"""The cancellation figure's script on made-up curves."""

import sys
from pathlib import Path

import matplotlib.image
import numpy
import pytest

from common import InputError, use_style
from conftest import make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import fig4_cancellation

DISTANCES = (1, 100, 10000)


def write_cancellation(out):
    folder = write_run(out, make_run(id=fig4_cancellation.EXPERIMENT))
    lines = ["factors,form,pivot,distance,max_deg"]
    for f, factors in enumerate(("float", "half", "dropped"), 1):
        for n, form in enumerate(("naive", "stable", "first"), 1):
            for pivot in (0, 1):
                lines += [f"{factors},{form},{pivot},{d},{f * n * d * 1e-4 + pivot}" for d in DISTANCES]
    (folder / "cancellation.csv").write_text("\n".join(lines) + "\n")
    for kind in ("posed", "error"):
        for name in ("naive", "stable", "naive_pivot"):
            matplotlib.image.imsave(folder / f"{kind}_{name}.png", numpy.full((30, 20, 3), 0.5))
    return folder


def test_curves_are_those_of_the_table(out):
    folder = write_cancellation(out)
    use_style()
    lines = {line.get_label(): line for line in fig4_cancellation.compose(folder).axes[-1].get_lines()}
    assert list(lines["factors in half precision, naive (Eq. 10)"].get_xdata()) == list(DISTANCES)
    assert lines["factors in half precision, naive (Eq. 10)"].get_ydata() == pytest.approx([2e-4, 2e-2, 2])
    assert lines["a bone dropped, stable (Eq. 13)"].get_ydata() == pytest.approx([6e-4, 6e-2, 6])
    assert lines["factors in float, translations first"].get_ydata() == pytest.approx([3e-4, 3e-2, 3])
    assert lines["float with a pivot, naive (Eq. 10)"].get_ydata() == pytest.approx([1.0001, 1.01, 2])


def test_missing_curve_is_named(out):
    folder = write_cancellation(out)
    table = folder / "cancellation.csv"
    table.write_text("\n".join(line for line in table.read_text().splitlines() if "dropped" not in line))
    with pytest.raises(InputError, match="cancellation.csv: factors dropped, form naive, pivot 0: no rows"):
        fig4_cancellation.compose(folder)


def test_value_that_is_no_number_is_named(out):
    folder = write_cancellation(out)
    table = folder / "cancellation.csv"
    table.write_text(table.read_text().replace("float,naive,0,1,", "float,naive,0,one,"))
    with pytest.raises(InputError, match="line 2: 'one' is no value for distance"):
        fig4_cancellation.compose(folder)
