"""Composes [TPS14 Fig. 3] from out/tarini2014/fig3_averaging/: gradients per triangle and per vertex, all averagings.

usage: fig3_averaging.py OUT_DIR

Reads run.json, metrics.csv and the panels of OUT_DIR/tarini2014/fig3_averaging/ and writes figure.pdf and figure.png
beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, figure_command, load_image, load_metrics
from palette import BLUE, VERMILION

EXPERIMENT = "tarini2014/fig3_averaging"
# As in the paper: rest left, per triangle in the middle, per vertex right; and their errors.
PANELS = [("posed_per_face.png", "(a) posed, gradients per triangle"),
          ("joint_per_face.png", "(b) its joint from near"), ("joint_per_vertex.png", "(c) gradients per vertex"),
          ("error_per_face.png", "(d) error of (a)"),
          ("lines_per_face.png", "(e) lines of reflection of (b)"), ("lines_per_vertex.png", "(f) of (c)")]
METHODS = ["standard", "per-face", "mixed-voronoi", "area", "angle", "angle-area", "uniform", "max-1999",
           "cotangent", "voronoi"]
RIGS = [("jittered_48", "jittered mesh", BLUE), ("aspect_6", "jittered mesh, aspect 6", VERMILION)]


def error_of(metrics, path, rig, method):
    for row in metrics:
        if (row.rig, row.method, row.truth) == (rig, method, "analytic"):
            return row
    raise InputError(path, "no error against the analytic truth", f"rig {rig}, method {method}")


def compose(folder):
    from matplotlib.figure import Figure

    metrics = load_metrics(folder)
    pictures = [load_image(folder, name) for name, _ in PANELS]
    figure = Figure(figsize=(9.2, 9.4))
    grid = figure.add_gridspec(2, 3, left=0.01, right=0.99, bottom=0.355, top=0.97, wspace=0.04, hspace=0.1,
                               width_ratios=[0.75, 1, 1])
    for place, (picture, (_, title)) in enumerate(zip(pictures, PANELS)):
        axes = figure.add_subplot(grid[place // 3, place % 3])
        axes.imshow(picture, interpolation="lanczos")
        axes.set_anchor("N")
        axes.set_title(title, pad=4)
        axes.axis("off")
    _draw_bars(figure.add_axes([0.075, 0.085, 0.905, 0.2]), metrics, folder / "metrics.csv")
    return figure


def _draw_bars(axes, metrics, path):
    width = 0.38
    for i, (rig, label, colour) in enumerate(RIGS):
        errors = [error_of(metrics, path, rig, method) for method in METHODS]
        x = [m + (i - 0.5) * width for m in range(len(METHODS))]
        axes.bar(x, [e.rms_deg for e in errors], width * 0.92, color=colour, label=f"RMS, {label}")
        axes.plot(x, [e.max_deg for e in errors], linestyle="none", marker="v", color=colour,
                  markeredgecolor="black", markeredgewidth=0.5, label=f"largest, {label}")
    axes.set_yscale("log")
    axes.set_yticks([0.1, 1, 10, 100], ["0.1", "1", "10", "100"])
    axes.set_ylim(0.1, 250)
    axes.set_ylabel("error of the normals (degrees)")
    axes.set_xticks(range(len(METHODS)), METHODS, rotation=20, ha="right", rotation_mode="anchor")
    axes.set_xlim(-0.6, len(METHODS) - 0.4)
    axes.xaxis.grid(False)
    axes.legend(ncols=2, loc="lower center", bbox_to_anchor=(0.5, 0.97), columnspacing=1.5)


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
