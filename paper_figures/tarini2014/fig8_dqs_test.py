"""The script of the figure on dual quaternion skinning, on made-up data whose orders of convergence are known."""

import csv
import subprocess
import sys
from pathlib import Path

import matplotlib.image
import numpy
import pytest

from common import use_style
from conftest import make_run, write_run

SCRIPT = Path(__file__).with_name("fig8_dqs.py")
DQS = "tarini2014/fig8_dqs"
POSES = ["bend_30", "bend_60", "bend_90", "twist_60", "twist_120"]
COLUMNS = ["standard", "approximation", "exact", "truth", "error_standard", "error_approximation", "error_exact"]
POWER_LAWS = {"standard": (6.4, 0.0), "approximation": (1.8, 0.0), "exact": (130.0, 2.0)}


def shade(row, column):
    return (7 * row + column) / 40


def write_dqs(out, characters=False):
    folder = write_run(out, make_run(id=DQS))
    with open(folder / "metrics.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow("rig,family,resolution,vertices,pose,method,truth,weighting,mean_deg,rms_deg,p95_deg,"
                        "p99_deg,max_deg,flips".split(","))
        for pose in POSES:
            for method, (scale, order) in POWER_LAWS.items():
                for segments in (12, 24, 48, 96):
                    rms = scale * segments ** -order
                    mean = 0 if pose.startswith("twist") and method == "standard" else 0.5 * rms
                    for truth, factor in (("analytic", 1), ("recomputed", 1.3)):
                        e = rms * factor
                        writer.writerow([f"cylinder_{segments}", "cylinder", segments, segments * segments, pose,
                                         method, truth, "deformed area", mean * factor, e, 2 * e, 2.2 * e,
                                         2.5 * e, 0])
    ways = ("standard", "approximation", "exact")
    header = "stem,left,top,width,height," + ",".join(f"lines_{way},shaded_{way}" for way in ways)
    (folder / "insets.csv").write_text(header + "\n" + ("" if not characters else f"man,0.2,0.2,0.2,0.2{',0.5' * 6}\n"))
    if characters:
        for part in ["whole", "off_standard", "off_approximation"] + [f"{what}_{way}" for way in (*ways, "truth")
                                                                      for what in ("shaded", "lines")]:
            matplotlib.image.imsave(folder / f"man_{part}.png", numpy.full((40, 30, 3), 0.5))
    for row, pose in enumerate(POSES):
        for column, name in enumerate(COLUMNS):
            height = 80 if name.startswith("error") else 66
            matplotlib.image.imsave(folder / f"{pose}_{name}.png", numpy.full((height, 52, 3), shade(row, column)))
    return folder


def run_figure(*arguments):
    return subprocess.run([sys.executable, "-B", str(SCRIPT), *map(str, arguments)], capture_output=True,
                          text=True, encoding="utf-8", timeout=120)


def compose(out):
    sys.path.insert(0, str(SCRIPT.parent))
    import fig8_dqs

    use_style()
    return fig8_dqs.compose(out / DQS)


def test_figure_is_written_beside_the_data_with_the_same_bytes_every_time(out):
    folder = write_dqs(out)
    written = []
    for _ in range(2):
        result = run_figure(out)
        assert (result.returncode, result.stderr) == (0, "")
        assert result.stdout == f"{folder / 'figure.png'}\n"
        written.append([(folder / f"figure.{kind}").read_bytes() for kind in ("pdf", "png")])
    assert written[0] == written[1]


def test_every_panel_shows_its_own_picture(out):
    write_dqs(out)
    panels = compose(out).axes[:-2]
    shades = [round(float(axes.images[0].get_array()[0, 0, 0]), 2) for axes in panels]
    assert shades == pytest.approx([shade(r, c) for r in range(5) for c in range(7)], abs=0.006)


def test_bars_are_the_analytic_means_at_96_segments(out):
    write_dqs(out)
    bars = compose(out).axes[-2]
    heights = {c.get_label(): c.patches[0].get_height() for c in bars.containers if not c.get_label().startswith("_")}
    assert heights == pytest.approx({"standard": 3.2, "paper's approximation": 0.9,
                                     "exact derivative": 65 / 96 ** 2})
    texts = [t.get_text() for t in bars.texts]
    assert texts == ["3.2"] * 3 + ["0"] * 2 + ["0.9"] * 5 + ["< .02"] * 5


def test_orders_in_the_legend_are_those_of_the_data(out):
    write_dqs(out)
    labels = [text.get_text() for text in compose(out).axes[-1].get_legend().get_texts()]
    assert labels == ["standard: order 0.00", "paper's approximation: order 0.00", "exact derivative: order 2.00"]


def test_nothing_overlaps_or_leaves_the_page(out):
    write_dqs(out)
    figure = compose(out)
    figure.canvas.draw()
    boxes = [axes.get_tightbbox() for axes in figure.axes]
    for i, box in enumerate(boxes):
        assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1
        assert not any(box.overlaps(other) for other in boxes[:i])


@pytest.mark.parametrize("name", ["metrics.csv", "twist_120_error_exact.png"])
def test_missing_input_is_one_line_that_names_the_file(out, name):
    folder = write_dqs(out)
    (folder / name).unlink()
    result = run_figure(out)
    assert (result.returncode, result.stderr) == (2, f"{folder / name}: No such file or directory\n")
    assert not list(folder.glob("figure.*"))


def test_missing_row_is_named(out):
    folder = write_dqs(out)
    metrics = folder / "metrics.csv"
    metrics.write_text("".join(line for line in metrics.read_text().splitlines(True)
                               if not line.startswith("cylinder_96,cylinder,96,9216,twist_60,exact,analytic")))
    result = run_figure(out)
    assert result.returncode == 2
    assert result.stderr == f"{metrics}: cylinder_96, twist_60, exact, analytic, deformed area: has no such row\n"


def test_characters_stand_above_the_tube(out):
    write_dqs(out)
    alone = compose(out)
    write_dqs(out, characters=True)
    both = compose(out)
    above, below = both.subfigs
    assert len(below.axes) == len(alone.axes) and len(above.axes) == 11
    assert both.get_figheight() > alone.get_figheight()
