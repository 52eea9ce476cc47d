"""Draws what the sign of a quaternion does to blending, from out/slides/antipodality/.

usage: antipodality.py OUT_DIR

Reads run.json, two_bones.csv and the pictures of OUT_DIR/slides/antipodality/ and writes figure.pdf and figure.png
beside them.
"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import figure_command, load_image, load_table
from palette import BLUE, GREEN, VERMILION

EXPERIMENT = "slides/antipodality"
PANELS = [("chosen", "all on one side"), ("as_they_come", "one bone's sign wrong")]
CURVES = [("chosen_deg", "sign chosen", BLUE, "-"), ("as_they_come_deg", "as they come", GREEN, "--"),
          ("negated_deg", "one negated", VERMILION, ":")]


def optional_float(text):
    """An angle; nothing where the sum of the quaternions vanishes."""
    return float(text) if text else None


def compose(folder):
    from matplotlib.figure import Figure

    columns = {"turn_deg": float} | {name: optional_float for name, *_ in CURVES}
    rows = load_table(folder / "two_bones.csv", columns)
    figure = Figure(figsize=(9.2, 3.3))
    for i, (name, title) in enumerate(PANELS):
        axes = figure.add_axes([0.005 + 0.27 * i, 0.01, 0.265, 0.89])
        axes.imshow(load_image(folder, f"{name}.png"), interpolation="lanczos")
        axes.set_title(title)
        axes.axis("off")
    axes = figure.add_axes([0.625, 0.15, 0.365, 0.75])
    for name, label, colour, dash in CURVES:
        axes.plot([row["turn_deg"] for row in rows],
                  [math.nan if row[name] is None else row[name] for row in rows],
                  label=label, color=colour, linestyle=dash, linewidth=2.4 if name == "chosen_deg" else 1.5)
    axes.set_xticks(range(0, 361, 90))
    axes.set_yticks(range(-180, 181, 90))
    axes.set_xlabel("angle between two bones (degrees)")
    axes.set_ylabel("angle half way (degrees)")
    axes.set_title("Half way between two bones")
    axes.legend(loc="lower right")
    return figure


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
