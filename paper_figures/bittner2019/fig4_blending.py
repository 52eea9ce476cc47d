"""Composes [BTGM19 Fig. 4] from out/bittner2019/fig4_blending/: LBS blends positions (left), DQS angles (right).

usage: fig4_blending.py OUT_DIR

Reads run.json and paths.csv of OUT_DIR/bittner2019/fig4_blending/ and writes figure.pdf and figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from common import InputError, figure_command, load_table
from palette import FILL, GREY, OUTLINE
from panels import METHODS, curves, plot_axes

EXPERIMENT = "bittner2019/fig4_blending"
SHOWN = (("lbs", "(a) LBS blends positions"), ("dqs", "(b) DQS blends angles"))
COLUMNS = {"method": str, "w": float, "x": float, "y": float, "angle_deg": float}


def _draw_path(axes, rows, title, colour):
    from matplotlib.patches import Circle

    axes.add_patch(Circle((0, 0), 1, facecolor=FILL, edgecolor=OUTLINE, linewidth=0.8))
    for row in (rows[0], rows[-1]):
        axes.plot([0, row["x"]], [0, row["y"]], color=GREY, linewidth=0.9)
    x, y = [row["x"] for row in rows], [row["y"] for row in rows]
    axes.plot(x, y, color=colour)
    # A dot wherever w has gained another eighth.
    for share in range(9):
        row = min(rows, key=lambda r: abs(r["w"] - share / 8))
        axes.plot(row["x"], row["y"], marker="o", color=colour, markersize=4)
    for row, name, ha in ((rows[0], "$p$", "left"), (rows[-1], "$M p$", "right")):
        axes.annotate(name, (row["x"], row["y"]), xytext=(5 if ha == "left" else -5, 4), textcoords="offset points", ha=ha)
    axes.set_title(title, pad=4)
    axes.set_xlim(-1.25, 1.25)
    axes.set_ylim(-1.12, 1.25)
    axes.set_aspect("equal")
    axes.axis("off")


def compose(folder):
    from matplotlib.figure import Figure

    path = folder / "paths.csv"
    table = sorted(load_table(path, COLUMNS), key=lambda row: row["w"])
    colours = {name: colour for name, _, colour, _ in METHODS}
    figure = Figure(figsize=(7.8, 2.75))
    for i, (method, title) in enumerate(SHOWN):
        rows = [row for row in table if row["method"] == method]
        if len(rows) < 2:
            raise InputError(path, "has fewer than two rows", f"method {method}")
        _draw_path(plot_axes(figure, 0.05 + 2.5 * i, 0.05, 2.45, 2.4), rows, title, colours[method])
    axes = plot_axes(figure, 5.55, 0.5, 2.1, 1.9)
    for label, colour, dash, x, y in curves(table, path, "w", "angle_deg"):
        axes.plot(x, y, color=colour, linestyle=dash, label=label)
    axes.set_xlabel("weight of the turning bone")
    axes.set_ylabel("angle, degrees")
    axes.set_title("(c) the angle reached", pad=4)
    axes.legend(loc="upper left", handlelength=2.4, borderaxespad=0.1)
    return figure


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
