"""The pill's figure script on made-up data whose orders of convergence are known."""

import re
import subprocess
import sys
from pathlib import Path

import matplotlib.image
import numpy
import pytest

from common import use_style
from conftest import PILL, make_run, unrun, write_pill, write_run

SCRIPT = Path(__file__).with_name("fig2_pill.py")
PANELS = ["rest", "posed_standard", "posed_deform", "posed_truth", "error_standard", "error_deform"]


def run_figure(*arguments):
    return subprocess.run([sys.executable, "-B", str(SCRIPT), *map(str, arguments)], capture_output=True,
                          text=True, encoding="utf-8", timeout=120)


def compose(out):
    sys.path.insert(0, str(SCRIPT.parent))
    import fig2_pill

    use_style()
    return fig2_pill.compose(out / PILL)


def test_joints_stand_where_the_pill_has_them(out):
    """Two above, at and two below the middle of the pill, which is six high."""
    write_pill(out)
    rest = compose(out).axes[0]
    drawn = [(float(line.get_xdata()[0]), float(line.get_ydata()[0])) for line in rest.get_lines()]
    column, pixels = 2.7 / 5.4 * 239, 319 / 7.2
    assert drawn == [pytest.approx((column, (3.6 - z) * pixels), abs=2) for z in (0, 2, -2, 0)]



def test_figure_is_written_beside_the_data(out):
    folder = write_pill(out)
    before = {path.name for path in folder.iterdir()}
    result = run_figure(out)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == f"{folder / 'figure.png'}\n"
    assert {path.name for path in folder.iterdir()} - before == {"figure.png", "figure.pdf"}
    assert (folder / "figure.pdf").read_bytes().startswith(b"%PDF-")
    assert matplotlib.image.imread(folder / "figure.png").shape[1] >= 1600


def test_figure_has_the_same_bytes_every_time(out):
    folder = write_pill(out)
    written = []
    for _ in range(2):
        assert run_figure(out).returncode == 0
        written.append([(folder / f"figure.{kind}").read_bytes() for kind in ("pdf", "png")])
    assert written[0] == written[1]
    assert not re.search(rb"CreationDate|ModDate|Producer", written[0][0])


def test_orders_in_the_legend_are_those_of_the_data(out):
    write_pill(out)
    plot = compose(out).axes[-1]
    labels = [text.get_text() for text in plot.get_legend().get_texts()]
    assert labels == ["standard, structured: order 0.00", "standard, jittered: order 0.00",
                      "deform factors, structured: order 2.00", "deform factors, jittered: order 1.00"]


def test_plotted_points_are_the_analytic_rms(out):
    write_pill(out)
    lines = {line.get_label().split(":")[0]: line for line in compose(out).axes[-1].get_lines()}
    assert list(lines["deform factors, structured"].get_xdata()) == [12, 24, 48, 96]
    assert lines["deform factors, structured"].get_ydata() == pytest.approx([170 / s ** 2 for s in (12, 24, 48, 96)])
    assert lines["deform factors, jittered"].get_ydata() == pytest.approx([25 / s for s in (12, 24, 48, 96)])
    assert lines["standard, jittered"].get_ydata() == pytest.approx([16.4] * 4)


def test_every_panel_shows_its_own_picture(out):
    folder = write_pill(out)
    for shade, name in enumerate(PANELS):
        matplotlib.image.imsave(folder / f"{name}.png", numpy.full((30, 20, 3), 0.1 * shade))
    panels = compose(out).axes[:-1]
    assert [round(float(axes.images[0].get_array()[0, 0, 0]), 1) for axes in panels] == [0, 0.1, 0.2, 0.3, 0.4, 0.5]
    assert [axes.get_title()[4:] for axes in panels] == [
        "rest pose", "standard normals", "deform factors", "analytic truth", "error of standard normals",
        "error of deform factors"]


def test_nothing_overlaps_or_leaves_the_page(out):
    write_pill(out)
    figure = compose(out)
    figure.canvas.draw()
    page = figure.bbox
    plot = figure.axes[-1]
    boxes = [axes.get_tightbbox() for axes in figure.axes]
    for i, box in enumerate(boxes):
        assert page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1
        for other in boxes[:i]:
            assert not box.overlaps(other)
    assert not plot.get_legend().get_window_extent().overlaps(plot.xaxis.label.get_window_extent())


@pytest.mark.parametrize("name", ["run.json", "metrics.csv"] + [f"{panel}.png" for panel in PANELS])
def test_missing_input_is_one_line_that_names_the_file(out, name):
    folder = write_pill(out)
    (folder / name).unlink()
    result = run_figure(out)
    assert result.returncode == 2
    assert result.stderr == f"{folder / name}: No such file or directory\n"
    assert not list(folder.glob("figure.*")) and not list(folder.glob(".figure.*"))


def test_picture_that_is_no_png_is_named(out):
    folder = write_pill(out)
    (folder / "rest.png").write_text("not a picture")
    result = run_figure(out)
    assert (result.returncode, result.stderr) == (2, f"{folder / 'rest.png'}: is not a PNG picture\n")


def test_truncated_picture_is_named(out):
    folder = write_pill(out)
    data = (folder / "rest.png").read_bytes()
    (folder / "rest.png").write_bytes(data[:len(data) // 2])
    result = run_figure(out)
    assert (result.returncode, result.stderr) == (2, f"{folder / 'rest.png'}: is not a PNG picture\n")


def test_experiment_that_was_not_run_gets_no_figure(out):
    folder = write_run(out, unrun(make_run()["id"], "no GL"))
    result = run_figure(out)
    assert (result.returncode, result.stderr) == (0, "")
    assert "no GL" in result.stdout and not (folder / "figure.png").exists()


@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["--fast"]])
def test_wrong_command_line_shows_usage(arguments):
    result = run_figure(*arguments)
    assert result.returncode == 2
    assert "usage: fig2_pill.py OUT_DIR" in result.stderr
