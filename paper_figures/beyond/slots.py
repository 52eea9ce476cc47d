"""Plots what few slots cost, and what fitting brings back: out/beyond/slots/.

usage: slots.py OUT_DIR

Reads run.json and slots.csv of OUT_DIR/beyond/slots/ and writes figure.pdf and figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, figure_command, load_table
from palette import BLACK, DEFORM, ORANGE, VECTORS

EXPERIMENT = "beyond/slots"
MODELS = ["fox", "quaternius-formal", "cesium-man", "quaternius-wolf", "trex", "velociraptor"]
POLICIES = [("unfitted", "dropped bones move with slot 0", VECTORS, "^"),
            ("random", "fitted to random turns of the joints", ORANGE, "D"),
            ("clips", "fitted to the model's clips", BLACK, "v")]
FLOOR = 5e-4  # degrees: less is not told apart from nothing


def compose(folder):
    from matplotlib.figure import Figure

    columns = {"policy": str, "slots": int, "bytes_f16": int}
    columns.update({model: float for model in MODELS})
    path = folder / "slots.csv"
    rows = load_table(path, columns)
    figure = Figure(figsize=(9.6, 5.6))
    grid = figure.add_gridspec(2, 3, left=0.075, right=0.975, bottom=0.185, top=0.945, wspace=0.2, hspace=0.42)
    for place, model in enumerate(MODELS):
        axes = figure.add_subplot(grid[place // 3, place % 3])
        _draw_model(axes, rows, model, path)
        axes.set_title(model)
        if place % 3 == 0:
            axes.set_ylabel("mean error (degrees)")
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", bbox_to_anchor=(0.5, 0.005), ncols=2)
    return figure


def _draw_model(axes, rows, model, path):
    paper = [row[model] for row in rows if row["policy"] == "paper"]
    if len(paper) != 1:
        raise InputError(path, f"has {len(paper)} rows of the paper's factors, expected one")
    axes.axhline(paper[0], color=DEFORM, linestyle="--", label="the paper's deform factors, 4 slots")
    for policy, label, colour, marker in POLICIES:
        chosen = sorted((row["slots"], max(row[model], FLOOR), row["bytes_f16"]) for row in rows
                        if row["policy"] == policy)
        if not chosen:
            raise InputError(path, "has no rows", f"policy {policy}")
        slots, errors, sizes = zip(*chosen)
        axes.plot(slots, errors, marker=marker, color=colour, label=label)
    axes.set_yscale("log")
    axes.set_ylim(FLOOR * 0.7, 10)
    axes.set_yticks([0.001, 0.01, 0.1, 1, 10], ["0.001", "0.01", "0.1", "1", "10"])
    axes.set_xlim(slots[0] - 0.5, slots[-1] + 0.5)
    axes.set_xticks(slots, [f"{s} slots\n{size} bytes" for s, size in zip(slots, sizes)])


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
