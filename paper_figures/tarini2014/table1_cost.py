"""Sets [TPS14 Table 1] from out/tarini2014/table1_cost/: ours large, the printed values below where they differ.

usage: table1_cost.py OUT_DIR

Reads run.json and table1.csv of OUT_DIR/tarini2014/table1_cost/ and writes figure.pdf and figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, figure_command, load_table
from palette import DIFFERS, SOFT

EXPERIMENT = "tarini2014/table1_cost"
GROUPS = [("lbs", "operations, LBS"), ("dqs", "operations, DQS"), ("bytes", "bytes")]
INFLUENCES = (2, 3, 4)
# Label, row of the table, relative to the standard row or not.
ROWS = [("Approximation", "standard", False), ("Ours (overhead)", "deform", False),
        ("Naive (overhead)", "naive", False), ("Ours (relative)", "deform", True),
        ("Naive (relative)", "naive", True), ("Vectors (overhead)", "vectors", False),
        ("Frames (overhead)", "frames", False)]


def lookup(rows, path):
    """(group, row, N, source) -> value or None."""
    table = {}
    for row in rows:
        for source in ("printed", "ours"):
            table[row["group"], row["row"], row["influences"], source] = row[source]
    for group, _ in GROUPS:
        for name in ("standard", "deform"):
            for n in INFLUENCES:
                if table.get((group, name, n, "ours")) is None:
                    raise InputError(path, "has no count", f"{group}, {name}, {n} influences")
    return table


def text_of(table, group, name, n, source, relative):
    value = table.get((group, name, n, source))
    if value is None:
        return None
    if relative:
        standard = table.get((group, "standard", n, source))
        return None if standard is None else f"+{100 * value / standard:.0f}%"
    return f"{value}" if name == "standard" else f"+{value}"


def optional_int(text):
    return int(text) if text else None


def compose(folder):
    from matplotlib.figure import Figure

    path = folder / "table1.csv"
    rows = load_table(path, {"group": str, "row": str, "influences": int, "printed": optional_int,
                             "ours": optional_int})
    table = lookup(rows, path)
    figure = Figure(figsize=(9.2, 5.4))
    axes = figure.add_axes([0, 0, 1, 1])
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.axis("off")
    left, right, top, step = 0.205, 0.985, 0.82, 0.103
    columns = [(group, n) for group, _ in GROUPS for n in INFLUENCES]
    width = (right - left) / len(columns)
    x = [left + width * (i + 0.5) for i in range(len(columns))]

    for i, (_, title) in enumerate(GROUPS):
        middle = left + width * (3 * i + 1.5)
        axes.text(middle, 0.965, f"Per-vertex {title}", ha="center", va="center", weight="bold")
        axes.plot([middle - 1.42 * width, middle + 1.42 * width], [0.938, 0.938], color="black", linewidth=0.8)
    axes.text(0.02, 0.912, "bones per vertex", va="center")
    for position, (_, n) in zip(x, columns):
        axes.text(position, 0.912, str(n), ha="center", va="center")
    axes.plot([0.015, right], [0.885, 0.885], color="black", linewidth=1.2)

    for line, (label, name, relative) in enumerate(ROWS):
        y = top - line * step
        axes.text(0.02, y, label, va="center", weight="bold")
        for position, (group, n) in zip(x, columns):
            _draw_cell(axes, position, y, table, group, name, n, relative)
        if line in (2, 4):
            axes.plot([0.015, right], [y - step / 2, y - step / 2], color="black", linewidth=0.8)
    bottom = top - (len(ROWS) - 0.45) * step
    axes.plot([0.015, right], [bottom, bottom], color="black", linewidth=1.2)
    axes.text(0.02, bottom - 0.035, "Large: counted by running the shipped kernels and packing the shipped vertices. "
              "Small: as printed, orange where it differs.", va="center", fontsize=8)
    axes.text(0.02, bottom - 0.07, "LBS: the paper counts 3 operations more, a multiplication by w = 1. "
              "DQS: ours chooses signs as well; the printed rows break off at 4 bones.", va="center", fontsize=8)
    axes.text(0.02, bottom - 0.105, "Beyond the paper: deform vectors (LBS) and two deform frames (DQS) follow the posed "
              "triangles; bytes in floats.", va="center", fontsize=8)
    return figure


def _draw_cell(axes, x, y, table, group, name, n, relative):
    ours = text_of(table, group, name, n, "ours", relative)
    printed = text_of(table, group, name, n, "printed", relative)
    axes.text(x, y + 0.017, ours or "–", ha="center", va="center", fontsize=10)
    if printed is None:
        return
    axes.text(x, y - 0.021, printed, ha="center", va="center", fontsize=7.5, color=SOFT if printed == ours else DIFFERS)


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
