"""Composes the pill of [TPS14 Fig. 2] from out/tarini2014/fig2_pill/: rest, posed, error maps, convergence.

usage: fig2_pill.py OUT_DIR

Reads run.json, metrics.csv and the panels of OUT_DIR/tarini2014/fig2_pill/ and writes figure.pdf and figure.png
beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import convergence, figure_command, load_image, load_metrics, measured_order
from palette import BLACK, DEFORM, GREY, STANDARD

EXPERIMENT = "tarini2014/fig2_pill"
WEIGHTING = "deformed area"
SHIFT = 1.5  # of the lower bone, in radii of the pill
# Upper row as in the paper: rest pose left, posed right, in which its two arrows are drawn.
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
    for axes, (name, _) in zip(upper, UPPER):
        _sketch(axes, pictures[name], 0 if name == "rest.png" else SHIFT)
    _brace(figure, upper[1:], "posed: the lower bone moves without turning (arrows: true normal full, standard one dotted)")

    # The plot needs room for its labels inside the two cells that are left.
    cell = grid[1, 2:].get_position(figure)
    plot = figure.add_axes([cell.x0 + 0.075, cell.y0 + 0.185, cell.width - 0.075, cell.height - 0.185])
    _draw_convergence(plot, metrics, folder / "metrics.csv")
    return figure


def _sketch(axes, picture, shift):
    """The bones, and where the surface leans most its normal (full arrow) and the conventional one (dotted), as in the paper.

    shift: by how much the lower bone has moved. The pill stands 6 high and 2 + shift wide in the picture.
    """
    solid = abs(picture[..., :3] - picture[:, :1, :3]).max(axis=2) > 0.03  # the background changes from row to row only
    rows, columns = solid.any(axis=1).nonzero()[0], solid.any(axis=0).nonzero()[0]
    if not len(rows) or not len(columns):
        return
    scale = (rows[-1] - rows[0]) / 6
    left, middle = columns[0], (rows[0] + rows[-1]) / 2

    def at(x, z):
        return left + (x + 1) * scale, middle - z * scale

    for end, start in (((0, 0), (0, 2)), ((shift, -2), (shift, 0))):
        axes.annotate("", at(*end), at(*start), arrowprops=dict(arrowstyle="-", color=BLACK, linewidth=1.2, alpha=0.6))
        for joint in (end, start):
            axes.plot(*at(*joint), "o", color="white", markeredgecolor=BLACK, markersize=3.5, alpha=0.8)
    if not shift:
        return
    # At half height the lower bone's weight is 1/2 and grows downwards by 15/8 over the 3 of the blend.
    lean = 15 / 8 * shift / 3
    point, length = (-1 + shift / 2, 0), 0.95
    normal = (-1 / (1 + lean ** 2) ** 0.5, -lean / (1 + lean ** 2) ** 0.5)
    for (x, z), style, colour in (((-1, 0), ":", STANDARD), (normal, "-", DEFORM)):
        axes.annotate("", at(point[0] + length * x, length * z), at(*point), annotation_clip=False,
                      arrowprops=dict(arrowstyle="-|>", linestyle=style, color=colour, linewidth=1.6, shrinkA=0, shrinkB=0))


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
