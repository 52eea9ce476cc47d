"""Sets [BTGM19 Table 2] from out/bittner2019/table2_fps/: frames per second, with the frames they are of.

usage: table2_fps.py OUT_DIR

Reads run.json, fps.csv and the pictures of OUT_DIR/bittner2019/table2_fps/ and writes figure.pdf and figure.png
beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, figure_command, load_image, load_table
from palette import SOFT

EXPERIMENT = "bittner2019/table2_fps"
RIGS = (("cuboid", "Cuboid"), ("wolf", "Quadruped\nfor the wolf"), ("raptor", "the same, finer,\nfor the raptor"))
SHOWN = ("cuboid", "wolf")  # the raptor's stand-in looks like the wolf's
METHODS = (("lbs", "LBS"), ("dqs", "DQS"), ("crs", "CRS"))
COLUMNS = {"rig": str, "vertices": int, "faces": int, "bones": int, "method": str, "printed_fps": float,
           "fps": float, "cpu_ms": float, "over_lbs": float}


def lookup(path):
    """(rig, method) -> row."""
    table = {(row["rig"], row["method"]): row for row in load_table(path, COLUMNS)}
    for rig, _ in RIGS:
        for method, _ in METHODS:
            if (rig, method) not in table:
                raise InputError(path, "has no row", f"{rig}, {method}")
    return table


def compose(folder):
    from matplotlib.figure import Figure

    table = lookup(folder / "fps.csv")
    width, left, panel, numbers, foot = 7.4, 1.5, 1.92, 0.5, 0.62  # inches
    rows = {rig: (panel if rig in SHOWN else 0.35) + numbers for rig, _ in RIGS}
    height = sum(rows.values()) + foot + 0.4
    figure = Figure(figsize=(width, height))
    for column, (_, label) in enumerate(METHODS):
        figure.text((left + (panel + 0.05) * (column + 0.5)) / width, 1 - 0.22 / height, label, ha="center", weight="bold")
    top = height - 0.3
    for rig, label in RIGS:
        bottom = top - rows[rig] + numbers
        first = table[rig, METHODS[0][0]]
        middle = (top + bottom) / 2 if rig in SHOWN else bottom
        figure.text(0.2 / width, (middle + 0.08) / height, label, weight="bold", va="bottom")
        for i, name in enumerate(("vertices", "faces", "bones")):
            figure.text(0.2 / width, (middle - 0.08 - 0.16 * i) / height, f"{first[name]:,} {name}", fontsize=8)
        for column, (method, _) in enumerate(METHODS):
            row = table[rig, method]
            x = left + (panel + 0.05) * column
            if rig in SHOWN:
                axes = figure.add_axes([x / width, bottom / height, panel / width, panel / height])
                axes.imshow(load_image(folder, f"{rig}_{method}.png"), interpolation="lanczos")
                axes.axis("off")
            x = (x + panel / 2) / width
            figure.text(x, (bottom - 0.16) / height, f"{row['fps']:.0f} frames/s, ×{row['over_lbs']:.2f}", ha="center", fontsize=9)
            figure.text(x, (bottom - 0.32) / height, f"printed {row['printed_fps']:g}, ×{row['printed_fps'] / first['printed_fps']:.2f}",
                        ha="center", fontsize=7.5, color=SOFT)
        top -= rows[rig]
    figure.text(0.2 / width, 0.1 / height, "×: against LBS, from processor time of the same rounds, of frames of 16 x 16 pixels: nearly all vertices.\n"
                "Frames per second on the clock of this machine; printed: large ones of a graphics card.\n"
                "Quadrupeds are made from formulas, shown whole, timed when cut to the printed numbers.", fontsize=7.5)
    return figure


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
