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
RIGS = (("cuboid", "Cuboid"), ("wolf", "Quadruped\n(for the wolf)"), ("raptor", "Quadruped\n(for the raptor)"))
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
    figure = Figure(figsize=(7.4, 7.6))
    left, width, top, step = 0.20, 0.26, 0.955, 0.285
    for column, (_, label) in enumerate(METHODS):
        figure.text(left + width * (column + 0.5), top + 0.018, label, ha="center", weight="bold")
    for line, (rig, label) in enumerate(RIGS):
        bottom = top - step * (line + 1) + 0.045
        first = table[rig, METHODS[0][0]]
        middle = bottom + (step - 0.045) / 2
        figure.text(0.03, middle + 0.035, label, weight="bold")
        for i, name in enumerate(("vertices", "faces", "bones")):
            figure.text(0.03, middle - 0.001 - 0.022 * i, f"{first[name]:,} {name}", fontsize=8)
        for column, (method, _) in enumerate(METHODS):
            row = table[rig, method]
            axes = figure.add_axes([left + width * column, bottom, width * 0.98, step - 0.05])
            axes.imshow(load_image(folder, f"{rig}_{method}.png"))
            axes.axis("off")
            x = left + width * (column + 0.5)
            figure.text(x, bottom - 0.016, f"{row['fps']:.0f} frames/s, ×{row['over_lbs']:.2f}",
                        ha="center", fontsize=9)
            printed = table[rig, METHODS[0][0]]["printed_fps"]
            figure.text(x, bottom - 0.035,
                        f"printed {row['printed_fps']:g}, ×{row['printed_fps'] / printed:.2f}", ha="center",
                        fontsize=7.5, color=SOFT)
    figure.text(0.03, 0.012, "×: against LBS, from processor time of the same rounds, of frames of 16 x 16 pixels: nearly all vertices.\n"
                "Frames per second on the clock of this machine; printed: large ones of a graphics card.\n"
                "Wolf and raptor: quadrupeds made from formulas, shown whole, timed when cut to the printed numbers.", fontsize=7.5)
    return figure


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
