"""Sets the memory table of [BTGM19 Sec. 5.2.2] from out/bittner2019/table_memory/: recomputed large, printed and ours below.

usage: table_memory.py OUT_DIR

Reads run.json and memory.csv of OUT_DIR/bittner2019/table_memory/ and writes figure.pdf and figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, figure_command, load_table
from palette import SOFT

EXPERIMENT = "bittner2019/table_memory"
METHODS = (("lbs", "LBS"), ("dqs", "DQS"), ("crs", "CRS"))
MESHES = (("cuboid", "Cuboid"), ("wolf", "Wolf"), ("raptor", "Raptor"))
COLUMNS = {"method": str, "floats_per_bone": int, "floats_per_vertex": int, "mesh": str, "vertices": int,
           "bones": int, "printed_kb": float, "computed_kb": float,
           "ours_per_bone": float, "ours_per_vertex": float, "ours_kb": float}


def lookup(path):
    """(method, mesh) -> row."""
    table = {(row["method"], row["mesh"]): row for row in load_table(path, COLUMNS)}
    for method, _ in METHODS:
        for mesh, _ in MESHES:
            if (method, mesh) not in table:
                raise InputError(path, "has no row", f"{method}, {mesh}")
    return table


def compose(folder):
    from matplotlib.figure import Figure

    table = lookup(folder / "memory.csv")
    figure = Figure(figsize=(7.4, 3.8))
    axes = figure.add_axes([0, 0, 1, 1])
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.axis("off")
    x = [0.20, 0.37, 0.55, 0.73, 0.91]
    axes.text(sum(x[:2]) / 2, 0.93, "floats per", ha="center", va="center", weight="bold")
    axes.text(x[3], 0.93, "size in kB", ha="center", va="center", weight="bold")
    axes.plot([x[0] - 0.07, x[1] + 0.07], [0.885, 0.885], color="black", linewidth=0.8)
    axes.plot([x[2] - 0.08, x[4] + 0.08], [0.885, 0.885], color="black", linewidth=0.8)
    for position, head in zip(x, ["bone", "vertex"]):
        axes.text(position, 0.81, head, ha="center", va="center")
    for position, (mesh, label) in zip(x[2:], MESHES):
        row = table["lbs", mesh]
        axes.text(position, 0.83, label, ha="center", va="center")
        axes.text(position, 0.765, f"{row['vertices']:,} vertices, {row['bones']} bones", ha="center",
                  va="center", fontsize=6.5, color=SOFT)
    axes.plot([0.03, 0.99], [0.72, 0.72], color="black", linewidth=1.2)
    for line, (method, label) in enumerate(METHODS):
        y = 0.61 - 0.19 * line
        axes.text(0.04, y, label, va="center", weight="bold")
        first = table[method, MESHES[0][0]]
        for position, counted in zip(x, ("bone", "vertex")):
            axes.text(position, y + 0.025, str(first[f"floats_per_{counted}"]), ha="center", va="center")
            axes.text(position, y - 0.035, f"ours {first[f'ours_per_{counted}']:g}", ha="center", va="center",
                      fontsize=7, color=SOFT)
        for position, (mesh, _) in zip(x[2:], MESHES):
            row = table[method, mesh]
            axes.text(position, y + 0.025, f"{row['computed_kb']:.2f}", ha="center", va="center", fontsize=10)
            axes.text(position, y - 0.035, f"printed {row['printed_kb']:g}", ha="center", va="center", fontsize=7,
                      color=SOFT)
            axes.text(position, y - 0.075, f"ours {row['ours_kb']:.2f}", ha="center", va="center", fontsize=7,
                      color=SOFT)
    axes.plot([0.03, 0.99], [0.12, 0.12], color="black", linewidth=1.2)
    axes.text(0.04, 0.06, "Large: from the counts of vertices and bones, 1 kB = 1000 bytes. "
              "Ours: buffers as OpenGL counts them.", va="center", fontsize=7.5)
    return figure


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
