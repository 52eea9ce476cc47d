"""The figure of refinement on power laws."""

import csv
import sys
from pathlib import Path

import numpy
import pytest

from common import InputError, use_style
from conftest import make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import refinement

COLUMNS = ("rig,family,resolution,vertices,pose,method,truth,weighting,mean_deg,rms_deg,p95_deg,p99_deg,max_deg,"
           "flips").split(",")
ORDERS = {"standard": 0, "deform": 2, "smoothed": 1.5, "vectors": 1}


def write_refinement(out):
    import matplotlib.image

    folder = write_run(out, make_run(id=refinement.EXPERIMENT))
    with open(folder / "metrics.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for family, _ in refinement.FAMILIES:
            for method, order in ORDERS.items():
                for segments in (12, 24, 48):
                    error = 100 * segments ** -order
                    writer.writerow([f"{family}_{segments}", family, segments, segments ** 2, "bend", method, "analytic",
                                     "area", error, error, error, error, error, 0])
    for name, _ in refinement.PANELS:
        matplotlib.image.imsave(folder / name, numpy.full((36, 26, 3), 0.8))
    return folder


def test_curves_and_orders_are_those_of_the_data(out):
    folder = write_refinement(out)
    use_style()
    figure = refinement.compose(folder)
    lines = {line.get_label(): line for line in figure.axes[0].get_lines()}
    assert list(lines) == ["standard, order 0.00", "deform factors, order 2.00", "smooth weights, order 1.50",
                           "deform vectors, order 1.00"]
    assert list(lines["deform factors, order 2.00"].get_xdata()) == [144, 576, 2304]
    assert lines["deform factors, order 2.00"].get_ydata()[0] == pytest.approx(100 / 144)


def test_missing_method_is_named(out):
    folder = write_refinement(out)
    table = folder / "metrics.csv"
    table.write_text("\n".join(line for line in table.read_text().splitlines() if "smoothed" not in line))
    use_style()
    with pytest.raises(InputError, match="method smoothed"):
        refinement.compose(folder)
