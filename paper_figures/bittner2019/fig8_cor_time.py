"""Composes [BTGM19 Fig. 8] from out/bittner2019/fig8_cor_time/: the table of times, and what approximations cost.

usage: fig8_cor_time.py OUT_DIR

Reads run.json, times.csv and differences.csv of OUT_DIR/bittner2019/fig8_cor_time/ and writes figure.pdf and
figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, figure_command, load_table
from palette import DIFFERS, SOFT, STEEL

EXPERIMENT = "bittner2019/fig8_cor_time"
RIGS = (("cuboid", "Cuboid"), ("wolf", "Wolf"), ("raptor", "Raptor"))
WAYS = (("naive", "naive"), ("threads", "threads"), ("search", "threads\nand BFS"), ("pairs", "exact, by\nbone pairs"))


def optional_float(text):
    return float(text) if text else None


def load_times(path):
    """(rig, way) -> row."""
    columns = {"rig": str, "way": str, "threads": int, "printed_s": optional_float, "seconds": float,
               "cpu_seconds": float}
    table = {(row["rig"], row["way"]): row for row in load_table(path, columns)}
    for rig, _ in RIGS:
        for way, _ in WAYS:
            if (rig, way) not in table:
                raise InputError(path, "has no time", f"{rig}, {way}")
    return table


def load_differences(path):
    columns = {"rig": str, "vertices": int, "triangles": int, "bones": int, "search_max_percent": float,
               "search_lost": int, "subdivision_growth": float, "subdivision_max_percent": float}
    return load_table(path, columns)


def duration(seconds):
    """As the paper writes them, two significant digits."""
    if seconds >= 3600:
        return f"{seconds / 3600:.2g} h"
    if seconds >= 120:
        return f"{seconds / 60:.3g} min"
    return f"{seconds:.2g} s" if seconds >= 0.1 else f"{1000 * seconds:.2g} ms"


def draw_times(axes, table):
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.axis("off")
    x = [0.30, 0.48, 0.66, 0.85]
    threads = table["raptor", "threads"]["threads"]
    axes.text(0.02, 0.90, "time for all centres", va="center", weight="bold")
    for position, (_, label) in zip(x, WAYS):
        axes.text(position, 0.90, label.replace("threads", f"{threads} threads"), ha="center", va="center",
                  weight="bold")
    axes.plot([0.01, 0.99], [0.78, 0.78], color="black", linewidth=1.2)
    for line, (rig, label) in enumerate(RIGS):
        y = 0.64 - 0.215 * line
        axes.text(0.02, y, label, va="center", weight="bold")
        for position, (way, _) in zip(x, WAYS):
            row = table[rig, way]
            axes.text(position, y + 0.035, duration(row["seconds"]), ha="center", va="center", fontsize=10)
            if row["printed_s"] is not None:
                over = ">" if (rig, way) == ("raptor", "naive") else ""
                axes.text(position, y - 0.06, f"printed {over}{duration(row['printed_s'])}", ha="center", va="center",
                          fontsize=7, color=SOFT)
    axes.plot([0.01, 0.99], [0.08, 0.08], color="black", linewidth=1.2)
    axes.text(0.02, 0.05, "On the clock of this machine; naive: scaled from a sample of the vertices. Printed: with "
              "4 threads.\nWolf and raptor: quadrupeds of 30 and 79 bones stand in for them.", va="top", fontsize=7.5)


def draw_differences(axes, rows):
    label = {"wolf": "quadruped, 30 bones", "raptor": "quadruped, 79 bones"}
    names = [f"{label.get(row['rig'], row['rig'])}\n{row['triangles']:,} triangles, ×{row['subdivision_growth']:.1f} "
             "if subdivided" for row in rows]
    y = range(len(rows))
    axes.barh([i - 0.2 for i in y], [row["search_max_percent"] for row in rows], height=0.36, color=DIFFERS,
              label="breadth-first search")
    axes.barh([i + 0.2 for i in y], [row["subdivision_max_percent"] for row in rows], height=0.36, color=STEEL,
              label="subdivision to weights 0.1 apart")
    axes.set_yticks(list(y), names, fontsize=7)
    axes.invert_yaxis()
    axes.set_xlabel("moves a centre from the exact sum by up to … % of the radius")
    axes.legend(loc="lower right")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def compose(folder):
    from matplotlib.figure import Figure

    table = load_times(folder / "times.csv")
    rows = load_differences(folder / "differences.csv")
    figure = Figure(figsize=(7.4, 3.4 + 0.42 * len(rows)))
    height = 2.5 / figure.get_figheight()
    draw_times(figure.add_axes([0.02, 1.01 - height, 0.96, height * 0.98]), table)
    draw_differences(figure.add_axes([0.29, 0.09, 0.67, 0.84 - height]), rows)
    return figure


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
