"""Draws functions of dual numbers and their derivatives from out/slides/dual_numbers/.

usage: dual_numbers.py OUT_DIR

Reads run.json and functions.csv of OUT_DIR/slides/dual_numbers/ and writes figure.pdf and figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import figure_command, load_table
from palette import BLUE, GREY, VERMILION

EXPERIMENT = "slides/dual_numbers"
COLUMNS = {"function": str, "x": float, "value": float, "derivative": float, "complex_step": float}
SHOWN = 4  # of the complex step's points, every so many


def compose(folder):
    from matplotlib.figure import Figure

    rows = load_table(folder / "functions.csv", COLUMNS)
    names = list(dict.fromkeys(row["function"] for row in rows))
    figure = Figure(figsize=(9.2, 2.0 * ((len(names) + 3) // 4) + 0.4))
    grid = figure.subplots((len(names) + 3) // 4, 4, squeeze=False).ravel()
    for axes, name in zip(grid, names):
        chosen = [row for row in rows if row["function"] == name]
        x = [row["x"] for row in chosen]
        axes.plot(x, [row["value"] for row in chosen], color=GREY, label="real part: f(x)")
        axes.plot(x, [row["derivative"] for row in chosen], color=BLUE, label="dual part of f(x + ε)")
        axes.plot(x[::SHOWN], [row["complex_step"] for row in chosen][::SHOWN], linestyle="none", marker="o",
                  markersize=3.5, markerfacecolor="none", color=VERMILION, label="derivative, complex step")
        largest = sorted(abs(row["derivative"]) for row in chosen)[int(0.9 * len(chosen))]
        axes.set_ylim(-1.4 * max(largest, 1), 1.4 * max(largest, 1))
        axes.set_title(name)
        axes.set_xlabel("x")
    for axes in grid[len(names):]:
        axes.axis("off")
    handles, labels = grid[0].get_legend_handles_labels()
    if len(grid) > len(names):
        grid[-1].legend(handles, labels, loc="center")
    else:
        grid[0].legend(loc="best")
    figure.tight_layout()
    return figure


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
