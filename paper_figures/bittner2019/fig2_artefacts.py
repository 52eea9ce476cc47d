"""Composes [BTGM19 Fig. 2] from out/bittner2019/fig2_artefacts/: candy wrapper, elbow collapse, bulge; CRS beside them.

usage: fig2_artefacts.py OUT_DIR

Reads run.json, artefacts.csv and the pictures of OUT_DIR/bittner2019/fig2_artefacts/ and writes figure.pdf and figure.png
beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from common import InputError, figure_command, load_table
from panels import picture_row, row_width

EXPERIMENT = "bittner2019/fig2_artefacts"
PICTURES = (("candywrapper.png", "LBS, twist of 180°:\ncandy wrapper", "lbs", "section_twist", "section {:.2f}"),
            ("bend_lbs.png", "LBS, bend of 120°:\nelbow collapse", "lbs", "section_bend", "section {:.2f}"),
            ("bend_dqs.png", "DQS, bend of 120°:\nbulge", "dqs", "bulge", "bulge {:.3f}"),
            ("bend_crs.png", "CRS, bend of 120°:\nfor comparison", "crs", "bulge", "bulge {:.3f}"))
HEIGHT = 2.5  # inches


def compose(folder):
    from matplotlib.figure import Figure

    path = folder / "artefacts.csv"
    table = {row["method"]: row for row in load_table(
        path, {"method": str, "section_twist": float, "section_bend": float, "bulge": float})}
    files = [picture[:2] for picture in PICTURES]
    figure = Figure(figsize=(0.2 + row_width(folder, files, HEIGHT), HEIGHT + 1.05))
    row, _ = picture_row(figure, folder, files, 0.1, 0.5, HEIGHT)
    for axes, (_, _, method, column, text) in zip(row, PICTURES):
        if method not in table:
            raise InputError(path, "has no row", f"method {method}")
        axes.text(0.5, -0.03, text.format(table[method][column]), transform=axes.transAxes, ha="center", va="top")
    figure.text(0.5, 0.02, "section: area at the joint over that at rest; bulge: by how many radii the skin gets farther "
                "from the skeleton", ha="center", va="bottom", fontsize=7)
    return figure


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
