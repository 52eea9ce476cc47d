"""Composes [BTGM19 Fig. 7] from out/bittner2019/fig7_wolf/: LBS, DQS, CRS side by side and how much they differ.

usage: fig7_wolf.py OUT_DIR

Reads run.json, differences.csv and the pictures of OUT_DIR/bittner2019/fig7_wolf/ and writes figure.pdf and figure.png
beside them. Without the wolf its row is left out.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from common import InputError, figure_command, load_run, load_table
from panels import LABELS, picture_row, row_width

EXPERIMENT = "bittner2019/fig7_wolf"
SUBJECTS = (("wolf", "wolf, attack"), ("quadruped", "made-up animal, attack"), ("cuboid", "for scale: Fig. 6"))
ORDER = ("lbs", "dqs", "crs")
COLUMNS = {"subject": str, "a": str, "b": str, "flip": float, "mean_distance": float}
HEIGHT = 1.75  # inches


def _sentence(rows, path, subject):
    own = [row for row in rows if row["subject"] == subject]
    if not own:
        raise InputError(path, "has no row", subject)
    parts = [f"{LABELS[row['a']]}, {LABELS[row['b']]}: {row['flip']:.2f}" for row in own]
    return "visible difference   " + "   ".join(parts)


def compose(folder):
    from matplotlib.figure import Figure

    written = {output["file"] for output in load_run(folder)["outputs"]}
    subjects = [subject for subject in SUBJECTS if f"{subject[0]}_lbs.png" in written]
    files = {stem: [(f"{stem}_{name}.png", LABELS[name]) for name in ORDER] for stem, _ in subjects}
    path = folder / "differences.csv"
    rows = load_table(path, COLUMNS)
    left, step = 0.35, HEIGHT + 0.55
    width = left + 0.1 + max(row_width(folder, row, HEIGHT) for row in files.values())
    tall = step * len(subjects) + 0.28
    figure = Figure(figsize=(width, tall))
    for i, (stem, title) in enumerate(subjects):
        bottom = tall - step * i - HEIGHT - 0.27
        row, right = picture_row(figure, folder, files[stem], left, bottom, HEIGHT)
        figure.text(0.17 / width, (bottom + HEIGHT / 2) / tall, title, rotation=90, ha="center", va="center")
        figure.text((left + right) / 2 / width, (bottom - 0.05) / tall, _sentence(rows, path, stem), ha="center", va="top",
                    fontsize=8)
    figure.text(0.5, 0.06 / tall, "FLIP, weighted median: 0.1 is hardly seen, 0.25 is; the worst of the frames.",
                ha="center", va="bottom", fontsize=7)
    return figure


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
