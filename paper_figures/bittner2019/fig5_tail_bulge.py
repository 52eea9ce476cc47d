"""Composes [BTGM19 Fig. 5] from out/bittner2019/fig5_tail_bulge/: tails under DQS and CRS; LBS and curves beside them.

usage: fig5_tail_bulge.py OUT_DIR

Reads run.json, bulge.csv, those of the models and the pictures of OUT_DIR/bittner2019/fig5_tail_bulge/ and writes
figure.pdf and figure.png beside them. Rows of models that are missing are left out.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from common import InputError, figure_command, load_run, load_table
from panels import LABELS, curves, picture_row, plot_axes, row_width

EXPERIMENT = "bittner2019/fig5_tail_bulge"
SUBJECTS = (("tail", "bulge.csv", "made-up tail, 90° per joint"), ("trex", "bulge_trex.csv", "T-Rex, 70° per joint"),
            ("velociraptor", "bulge_velociraptor.csv", "raptor, 70° per joint"))
ORDER = ("dqs", "crs", "lbs")  # as in the paper, then ours
COLUMNS = {"method": str, "bend_deg": float, "bulge": float}
SHOWN_BEND = {"tail": 90, "trex": 70, "velociraptor": 70}
HEIGHT, PLOT = 2.1, 2.2  # inches


def compose(folder):
    from matplotlib.figure import Figure

    written = {output["file"] for output in load_run(folder)["outputs"]}
    subjects = [subject for subject in SUBJECTS if f"{subject[0]}_dqs.png" in written]
    if not subjects:
        raise InputError(folder / "run.json", "names none of the figure's pictures")
    files = {stem: [(f"{stem}_{method}.png", LABELS[method]) for method in ORDER] for stem, _, _ in subjects}
    left, step = 0.35, HEIGHT + 0.55
    right = left + max(row_width(folder, row, HEIGHT) for row in files.values())
    width, tall = right + 0.7 + PLOT + 0.1, len(subjects) * step + 0.15
    figure = Figure(figsize=(width, tall))
    for i, (stem, name, title) in enumerate(subjects):
        path = folder / name
        table = load_table(path, COLUMNS)
        bottom = tall - i * step - HEIGHT - 0.3
        row, _ = picture_row(figure, folder, files[stem], left, bottom, HEIGHT)
        for axes, method in zip(row, ORDER):
            own = [r for r in table if r["method"] == method and r["bend_deg"] == SHOWN_BEND[stem]]
            if not own:
                raise InputError(path, "has no row", f"method {method}")
            axes.text(0.5, -0.02, f"bulge {own[0]['bulge']:.3f}", transform=axes.transAxes, ha="center", va="top")
        figure.text(0.16 / width, (bottom + HEIGHT / 2) / tall, title, rotation=90, ha="center", va="center")
        axes = plot_axes(figure, right + 0.7, bottom + 0.2, PLOT, HEIGHT - 0.2)
        for label, colour, dash, x, y in curves(table, path, "bend_deg", "bulge", ORDER):
            axes.plot(x, y, color=colour, linestyle=dash, marker="o", markersize=3, label=label)
        axes.set_ylim(bottom=0)
        axes.set_ylabel("bulge")
        if i == 0:
            axes.legend(loc="upper left", handlelength=2.4)
        if i == len(subjects) - 1:
            axes.set_xlabel("bend per joint, degrees")
    return figure


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
