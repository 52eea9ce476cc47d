"""Composes [BTGM19 Fig. 7] from out/bittner2019/fig7_wolf/: LBS, DQS, CRS side by side and what is seen of the difference.

usage: fig7_wolf.py OUT_DIR

Reads run.json, frames.csv and the pictures of OUT_DIR/bittner2019/fig7_wolf/ and writes figure.pdf and figure.png
beside them. Without the wolf its rows are left out.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from common import InputError, figure_command, load_run, load_table
from panels import LABELS, picture_row, row_width

EXPERIMENT = "bittner2019/fig7_wolf"
# (start of the pictures' names, label)
FRAMES = (("wolf_1", "wolf: leaps"), ("wolf_2", "lands"), ("wolf_3", "bites"), ("quadruped_1", "made-up animal"),
          ("cuboid_1", "for scale: Fig. 6"))
ORDER = ("lbs", "dqs", "crs")
PAIRS = (("lbs", "dqs"), ("dqs", "crs"))
HEIGHT = 1.75  # inches


def compose(folder):
    from matplotlib.figure import Figure

    written = {output["file"] for output in load_run(folder)["outputs"]}
    frames = [frame for frame in FRAMES if f"{frame[0]}_lbs.png" in written]
    if not frames:
        raise InputError(folder / "run.json", "names none of the figure's pictures")
    path = folder / "frames.csv"
    flip = {(row["frame"], row["a"], row["b"]): row["flip"]
            for row in load_table(path, {"frame": str, "a": str, "b": str, "flip": float})}
    files = {}
    for stem, _ in frames:
        files[stem] = [(f"{stem}_{name}.png", LABELS[name]) for name in ORDER]
        for a, b in PAIRS:
            if (stem, a, b) not in flip:
                raise InputError(path, "has no row", f"{stem}, {a}, {b}")
            files[stem].append((f"{stem}_{a}_{b}.png", f"{LABELS[a]} to {LABELS[b]}: FLIP {flip[stem, a, b]:.2f}"))
    left, step = 0.35, HEIGHT + 0.3
    width = left + 0.1 + max(row_width(folder, row, HEIGHT) for row in files.values())
    tall = step * len(frames) + 0.45
    figure = Figure(figsize=(width, tall))
    for i, (stem, title) in enumerate(frames):
        bottom = tall - step * (i + 1)
        picture_row(figure, folder, files[stem], left, bottom, HEIGHT)
        figure.text(0.17 / width, (bottom + HEIGHT / 2) / tall, title, rotation=90, ha="center", va="center")
    figure.text(0.5, 0.1 / tall, "Right: what is seen of the difference, from nothing (dark blue) to all (yellow). FLIP, weighted "
                "median: 0.1 is hardly seen, 0.25 is.", ha="center", va="bottom", fontsize=9)
    return figure


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
