"""Composes the pill of [TPS14 Fig. 2] from out/tarini2014/fig2_pill/: rest, posed, error maps, convergence.

usage: fig2_pill.py OUT_DIR

Reads run.json, metrics.csv and the panels of OUT_DIR/tarini2014/fig2_pill/ and writes figure.pdf and figure.png
beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import convergence, figure_command, load_image, load_metrics, measured_order
from palette import DEFORM, GREY, STANDARD

EXPERIMENT = "tarini2014/fig2_pill"
WEIGHTING = "deformed area"
# Upper row as in the paper: rest pose left, posed right. Three posed pictures instead of its two arrows.
UPPER = [("rest.png", "(a) rest pose"),
         ("posed_standard.png", "(b) standard normals"),
         ("posed_deform.png", "(c) deform factors"),
         ("posed_truth.png", "(d) analytic truth")]
LOWER = [("error_standard.png", "(e) error of standard normals"),
         ("error_deform.png", "(f) error of deform factors")]
METHODS = [("standard", "standard", STANDARD), ("deform", "deform factors", DEFORM)]
FAMILIES = [("structured", "o", "-"), ("jittered", "s", "--")]


def compose(folder):
    from matplotlib.figure import Figure

    metrics = load_metrics(folder)
    pictures = {name: load_image(folder, name) for name, _ in UPPER + LOWER}

    # Every panel is two inches wide and each row as tall as its pictures ask for; titles and legend need the rest.
    panel_width = 2.0
    heights = [panel_width * pictures[row[0][0]].shape[0] / pictures[row[0][0]].shape[1] for row in (UPPER, LOWER)]
    figure = Figure(figsize=(4 * panel_width + 0.5, sum(heights) + 1.2))
    grid = figure.add_gridspec(2, 4, left=0.01, right=0.985, bottom=0.015, top=0.905, wspace=0.06, hspace=0.14,
                               height_ratios=heights)

    upper = [figure.add_subplot(grid[0, column]) for column in range(4)]
    lower = [figure.add_subplot(grid[1, column]) for column in range(2)]
    for axes, (name, title) in zip(upper + lower, UPPER + LOWER):
        axes.imshow(pictures[name], interpolation="lanczos")
        axes.set_title(title, pad=4)
        axes.axis("off")
    _brace(figure, upper[1:], "posed: the lower bone moves sideways without turning")

    # The plot needs room for its labels inside the two cells that are left.
    cell = grid[1, 2:].get_position(figure)
    plot = figure.add_axes([cell.x0 + 0.075, cell.y0 + 0.185, cell.width - 0.075, cell.height - 0.185])
    _draw_convergence(plot, metrics, folder / "metrics.csv")
    return figure


def _brace(figure, panels, text):
    """A line over `panels` with `text` in its middle."""
    left = panels[0].get_position().x0 + 0.01
    right = panels[-1].get_position().x1 - 0.01
    figure.text((left + right) / 2, 0.975, text, ha="center", va="center")
    figure.add_artist(_line([left, right], [0.955, 0.955]))


def _line(x, y):
    from matplotlib.lines import Line2D

    return Line2D(x, y, color=GREY, linewidth=0.8)


def _draw_convergence(axes, metrics, path):
    for method, label, colour in METHODS:
        for family, marker, dash in FAMILIES:
            segments, rms = convergence(metrics, path, truth="analytic", weighting=WEIGHTING,
                                        family=family, method=method)
            order = measured_order(segments, rms)
            # "+ 0" turns the -0.00 of a flat line into 0.00.
            axes.plot(segments, rms, marker=marker, linestyle=dash, color=colour,
                      markerfacecolor=colour if family == "structured" else "white",
                      label=f"{label}, {family}: order {round(order, 2) + 0:.2f}")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(segments, [str(s) for s in segments])
    axes.set_xlabel("segments around the pill")
    axes.set_ylabel("RMS error, degrees")
    axes.set_title("(g) convergence against the analytic normal", pad=4)
    axes.yaxis.set_major_formatter("{x:g}")
    axes.legend(loc="upper left", bbox_to_anchor=(0.0, -0.29), handlelength=3.2, borderaxespad=0.0)


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
