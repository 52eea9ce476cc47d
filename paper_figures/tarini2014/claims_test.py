"""The figure of the text's claims on made-up data of known ratios."""

import csv
import subprocess
import sys
from pathlib import Path

import pytest

from common import use_style
from conftest import make_run, write_run

SCRIPT = Path(__file__).with_name("claims.py")
EXPERIMENT = "tarini2014/claims"
COLUMNS = ("rig,family,resolution,vertices,pose,method,truth,weighting,mean_deg,rms_deg,p95_deg,p99_deg,max_deg,"
           "flips").split(",")
MODELS = {"cesium-man": 0.5, "fox": 1.25}  # mean error of deform factors over that of the standard method


def write_claims(out):
    folder = write_run(out, make_run(id=EXPERIMENT))
    (folder / "overflow.csv").write_text("model,vertices,over,percent,bones_dropped,mean_share,largest_share\n"
                                         "cesium-man,100,20,20,25,0.3,1\nfox,50,0,0,0,0,0\nhand,10,1,10,1,0.1,0.1\n")
    with open(folder / "metrics.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)

        def row(rig, resolution, method, truth, mean):
            writer.writerow([rig, "model", resolution, 9, "Run", method, truth, "area", mean, mean, mean, mean, mean, 0])

        for model, ratio in MODELS.items():
            for truth, scale in (("transported", 1), ("recomputed", 0.9)):
                row(model, 0, "standard", truth, 4)
                row(model, 0, "deform", truth, 4 * ratio * scale)
                row(model, 0, "deform-all-slots", truth, 2)
        for level in (1, 2):
            row("cesium-man", level, "standard", "transported", 4)
            row("cesium-man", level, "deform-all-slots", "transported", 2 / 3 ** level)
        for segments in (24, 48, 96):
            row("pill", segments, "standard", "analytic", 9)
            row("pill", segments, "deform", "analytic", 100 / segments ** 2)
    return folder


def run_figure(*arguments):
    return subprocess.run([sys.executable, "-B", str(SCRIPT), *map(str, arguments)], capture_output=True, text=True,
                          encoding="utf-8", timeout=120)


def compose(out):
    sys.path.insert(0, str(SCRIPT.parent))
    import claims

    use_style()
    return claims.compose(out / EXPERIMENT)


def test_figure_is_written_beside_the_data(out):
    folder = write_claims(out)
    result = run_figure(out)
    assert (result.returncode, result.stderr) == (0, "")
    assert (folder / "figure.png").is_file() and (folder / "figure.pdf").is_file()


def test_bars_ratios_and_curves_are_those_of_the_data(out):
    write_claims(out)
    bars, ratios, curves = compose(out).axes
    assert [bar.get_width() for bar in bars.patches] == [20, 0, 10]
    assert [text.get_text() for text in bars.texts] == ["20 %, loses 0.30", "0 %", "10 %, loses 0.10"]
    lines = {line.get_label(): line for line in ratios.get_lines()}
    assert list(lines["transported"].get_xdata()) == pytest.approx([0.5, 1.25])
    assert list(lines["recomputed"].get_xdata()) == pytest.approx([0.45, 1.125])
    assert [label.get_text() for label in ratios.get_yticklabels()] == ["cesium-man", "fox"]  # the hand does not move
    lines = {line.get_label(): list(line.get_ydata()) for line in curves.get_lines()}
    assert lines["standard, pill"] == [9, 9, 9]
    assert lines["deform factors, cesium-man"] == pytest.approx([2, 2 / 3, 2 / 9])


def test_nothing_leaves_the_page(out):
    write_claims(out)
    figure = compose(out)
    figure.canvas.draw()
    boxes = [axes.get_tightbbox() for axes in figure.axes]
    for i, box in enumerate(boxes):
        assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1
        assert not any(box.overlaps(other) for other in boxes[:i])


@pytest.mark.parametrize("damage, message", [
    (lambda folder: (folder / "overflow.csv").unlink(), "overflow.csv: No such file"),
    (lambda folder: (folder / "overflow.csv").write_text("model,percent\nfox,1\n"), "overflow.csv: has no column mean_share"),
    (lambda folder: (folder / "overflow.csv").write_text("model,percent,mean_share\n"), "overflow.csv: has no rows"),
    (lambda folder: (folder / "metrics.csv").unlink(), "metrics.csv: No such file")])
def test_unusable_input_is_one_line_that_names_the_file(out, damage, message):
    folder = write_claims(out)
    damage(folder)
    result = run_figure(out)
    assert result.returncode == 2 and message in result.stderr and len(result.stderr.splitlines()) == 1
    assert not (folder / "figure.png").exists()
