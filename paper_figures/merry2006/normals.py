"""Composes the bent cylinder of out/merry2006/normals/: standard normals, Merry's normals [MMG06 Eq. 3, 4], truth.

usage: normals.py OUT_DIR

Reads run.json, agreement.csv and the panels of OUT_DIR/merry2006/normals/ and writes figure.pdf and figure.png beside
them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import figure_command, load_image, load_table

EXPERIMENT = "merry2006/normals"
UPPER = [("posed_standard.png", "(a) standard normals"), ("posed_merry.png", "(b) Merry's normals"),
         ("posed_truth.png", "(c) analytic truth")]
LOWER = [("error_standard.png", "(d) error of (a)"), ("error_merry.png", "(e) error of (b)")]
CURVES = [("solved_rad", "inverse transpose, solved", "o"), ("inverse_transpose_rad", "inverse transpose, kernel", "s"),
          ("autodiff_rad", "automatic differentiation", "^")]


def compose(folder):
    from matplotlib.figure import Figure

    rows = load_table(folder / "agreement.csv", {"bones": int, **{column: float for column, _, _ in CURVES}})
    figure = Figure(figsize=(7.6, 6.6))
    grid = figure.add_gridspec(2, 3, left=0.01, right=0.99, bottom=0.01, top=0.955, wspace=0.05, hspace=0.10)
    for row, panels in enumerate((UPPER, LOWER)):
        for column, (name, title) in enumerate(panels):
            axes = figure.add_subplot(grid[row, column])
            axes.imshow(load_image(folder, name), interpolation="lanczos")
            axes.set_anchor("N")
            axes.set_title(title, pad=4)
            axes.axis("off")
    cell = grid[1, 2].get_position(figure)
    plot = figure.add_axes([cell.x0 + 0.095, cell.y0 + 0.11, cell.width - 0.10, cell.height - 0.13])
    for column, label, marker in CURVES:
        plot.plot([row["bones"] for row in rows], [row[column] for row in rows], marker=marker, label=label)
    plot.axhline(1e-9, color="black", linestyle=":", linewidth=1)
    plot.text(8, 1.3e-9, "claimed", ha="right", va="bottom", fontsize=8)
    plot.set_yscale("log")
    plot.set_ylim(1e-16, 1e-5)
    plot.set_xticks(range(1, 9))
    plot.set_xlabel("bones per vertex")
    plot.set_ylabel("largest angle to Merry's normal (rad)")
    plot.legend(loc="upper left", fontsize=7)
    plot.set_title("(f) random vertices", pad=4)
    return figure


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
