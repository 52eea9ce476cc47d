"""Composes [BTGM19 Fig. 5] from out/bittner2019/fig5_tail_bulge/: a tail under DQS and CRS; LBS and curves beside them.

usage: fig5_tail_bulge.py OUT_DIR

Reads run.json, bulge.csv, bulge_trex.csv and the pictures of OUT_DIR/bittner2019/fig5_tail_bulge/ and writes
figure.pdf and figure.png beside them. Without the T-Rex its row is left out.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from common import InputError, figure_command, load_run, load_table
from panels import LABELS, curves, picture_row, plot_axes, row_width

EXPERIMENT = "bittner2019/fig5_tail_bulge"
SUBJECTS = (("tail", "bulge.csv", "made-up tail, 90° per joint"),
            ("trex", "bulge_trex.csv", "T-Rex, 35° per joint"))
ORDER = ("dqs", "crs", "lbs")  # as in the paper, then ours
COLUMNS = {"method": str, "bend_deg": float, "bulge": float}
SHOWN_BEND = {"tail": 90, "trex": 35}
HEIGHT = 2.0  # inches


def compose(folder):
    from matplotlib.figure import Figure

    written = {output["file"] for output in load_run(folder)["outputs"]}
    subjects = [subject for subject in SUBJECTS if f"{subject[0]}_dqs.png" in written]
    files = {stem: [(f"{stem}_{method}.png", LABELS[method]) for method in ORDER] for stem, _, _ in subjects}
    left = 0.35
    right = left + max(row_width(folder, row, HEIGHT) for row in files.values())
    tall = len(subjects) * (HEIGHT + 0.55) + 0.1
    figure = Figure(figsize=(right + 2.9, max(tall, 2.7)))
    top = figure.get_size_inches()[1]
    for stem, table_name, title in subjects:
        path = folder / table_name
        table = load_table(path, COLUMNS)
        bottom = top - HEIGHT - 0.3
        row, _ = picture_row(figure, folder, files[stem], left, bottom, HEIGHT)
        for axes, method in zip(row, ORDER):
            own = [r for r in table if r["method"] == method and r["bend_deg"] == SHOWN_BEND[stem]]
            if not own:
                raise InputError(path, "has no row", f"method {method}")
            axes.text(0.5, -0.02, f"bulge {own[0]['bulge']:.3f}", transform=axes.transAxes, ha="center", va="top")
        figure.text(0.16 / figure.get_size_inches()[0], (bottom + HEIGHT / 2) / figure.get_size_inches()[1], title,
                    rotation=90, ha="center", va="center")
        top -= HEIGHT + 0.55
    axes = plot_axes(figure, right + 0.75, 0.5, 2.0, figure.get_size_inches()[1] - 0.8)
    path = folder / "bulge.csv"
    for label, colour, dash, x, y in curves(load_table(path, COLUMNS), path, "bend_deg", "bulge"):
        axes.plot(x, y, color=colour, linestyle=dash, marker="o", markersize=3, label=label)
    axes.set_xlabel("bend per joint of the tail, degrees")
    axes.set_ylabel("bulge, radii of the base")
    axes.legend(loc="upper left", handlelength=2.4)
    return figure


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
