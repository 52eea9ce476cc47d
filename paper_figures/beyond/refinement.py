"""Plots convergence under refinement from out/beyond/refinement/ above error maps of the coarse meshes.

usage: refinement.py OUT_DIR

Reads run.json, metrics.csv and the pictures of OUT_DIR/beyond/refinement/ and writes figure.pdf and figure.png beside
them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, convergence, figure_command, load_image, load_metrics, measured_order
from palette import DEFORM, SMOOTHED, STANDARD, VECTORS

EXPERIMENT = "beyond/refinement"
METHODS = [("standard", "standard", STANDARD, "s"), ("deform", "deform factors", DEFORM, "o"),
           ("smoothed", "smooth weights", SMOOTHED, "D"), ("vectors", "deform vectors", VECTORS, "^")]
FAMILIES = [("structured", "(a) structured meshes"), ("jittered", "(b) jittered, random diagonals")]
PANELS = [("error_deform_12.png", "deform factors, 117 vertices"), ("error_smoothed_12.png", "smooth weights"),
          ("error_vectors_12.png", "deform vectors"), ("error_deform_48.png", "deform factors, 1,568 vertices"),
          ("error_smoothed_48.png", "smooth weights"), ("error_vectors_48.png", "deform vectors")]


def compose(folder):
    from matplotlib.figure import Figure

    metrics = load_metrics(folder)
    pictures = [load_image(folder, name) for name, _ in PANELS]
    figure = Figure(figsize=(9.6, 6.6))
    grid = figure.add_gridspec(1, 2, left=0.075, right=0.985, bottom=0.51, top=0.955, wspace=0.08)
    shared = None
    for column, (family, title) in enumerate(FAMILIES):
        axes = figure.add_subplot(grid[column], sharey=shared)
        shared = shared or axes
        _draw_convergence(axes, metrics, family, folder / "metrics.csv")
        axes.set_title(title)
        if column:
            axes.tick_params(labelleft=False)
        else:
            axes.set_ylabel("RMS error, analytic truth (degrees)")
    below = figure.add_gridspec(1, len(PANELS), left=0.01, right=0.99, bottom=0.01, top=0.385, wspace=0.04)
    for column, (picture, (_, title)) in enumerate(zip(pictures, PANELS)):
        axes = figure.add_subplot(below[0, column])
        axes.imshow(picture, interpolation="lanczos")
        axes.set_anchor("N")
        axes.set_title(title, pad=4, fontsize="small")
        axes.axis("off")
    return figure


def _vertices(metrics, family, resolution, path):
    for row in metrics:
        if (row.family, row.resolution) == (family, resolution):
            return row.vertices
    raise InputError(path, "has no such rig", f"{family} {resolution}")


def _draw_convergence(axes, metrics, family, path):
    for method, label, colour, marker in METHODS:
        resolutions, errors = convergence(metrics, path, family=family, method=method, truth="analytic")
        vertices = [_vertices(metrics, family, resolution, path) for resolution in resolutions]
        order = round(measured_order(resolutions, errors), 2) + 0.0  # no minus zero
        axes.plot(vertices, errors, marker=marker, color=colour, label=f"{label}, order {order:.2f}")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("vertices")
    axes.legend(loc="lower left")


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
