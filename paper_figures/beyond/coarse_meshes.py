"""Plots the errors of all animated models from out/beyond/coarse_meshes/ above pictures of two of them.

usage: coarse_meshes.py OUT_DIR

Reads run.json, summary.csv and the pictures of OUT_DIR/beyond/coarse_meshes/ and writes figure.pdf and figure.png beside
them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, figure_command, load_image, load_table
from palette import DEFORM, SMOOTHED, STANDARD, VECTORS

EXPERIMENT = "beyond/coarse_meshes"
PICTURES = ["fox", "trex"]  # where the paper's factors are worst and where standard normals are
METHODS = [("standard", "standard", STANDARD, "s"),
           ("deform", "deform factors", DEFORM, "o"),
           ("smoothed", "smooth weights", SMOOTHED, "D"),
           ("vectors", "deform vectors, 4 slots", VECTORS, "^"),
           ("vectors_fitted", "the same, fitted to the clips", VECTORS, "v"),
           ("vectors_all", "deform vectors, all bones", "black", "*")]
TRUTHS = [("transported", "(a) against the transported truth"), ("recomputed", "(b) against recomputed normals")]


def load_summary(folder):
    columns = {"model": str, "truth": str}
    columns.update({method: float for method, _, _, _ in METHODS})
    return load_table(folder / "summary.csv", columns)


def compose(folder):
    from matplotlib.figure import Figure

    rows = load_summary(folder)
    pictures = [load_image(folder, f"{name}.png") for name in PICTURES]
    width, plot, legend, sheet, title = 9.6, 2.9, 1.05, 4.9, 0.3  # inches
    height = plot + legend + len(pictures) * (sheet + title) + 0.35
    figure = Figure(figsize=(width, height))
    grid = figure.add_gridspec(1, 2, left=0.14, right=0.985, bottom=1 - (plot + 0.3) / height, top=1 - 0.3 / height, wspace=0.05)
    shared = None
    for column, (truth, heading) in enumerate(TRUTHS):
        axes = figure.add_subplot(grid[column], sharey=shared)
        shared = shared or axes
        _draw_errors(axes, [row for row in rows if row["truth"] == truth], truth, folder / "summary.csv")
        axes.set_title(heading)
        if column:
            axes.tick_params(labelleft=False)
        else:
            axes.invert_yaxis()  # of both
    handles, labels = shared.get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", bbox_to_anchor=(0.55, 1 - (plot + 0.75) / height), ncols=3, columnspacing=1.5)
    for place, (picture, name) in enumerate(zip(pictures, PICTURES)):
        bottom = (len(pictures) - 1 - place) * (sheet + title)
        axes = figure.add_axes([0.01, bottom / height, 0.98, sheet / height])
        axes.imshow(picture, interpolation="lanczos")
        axes.set_title(f"({'cd'[place]}) {_sentence(rows, name, folder / 'summary.csv')}", pad=3)
        axes.axis("off")
    return figure


def _sentence(rows, model, path):
    """How far off the ways are on a model, against the transported truth."""
    for row in rows:
        if (row["model"], row["truth"]) == (model, "transported"):
            than = "further from" if row["deform"] > row["standard"] else "closer to"
            return (f"{model}: deform factors, {row['deform']:.1f}° off, are {than} the truth than standard normals, "
                    f"{row['standard']:.1f}°; deform vectors are {row['vectors']:.1f}° off")
    raise InputError(path, "has no row", f"{model}, transported")


def _draw_errors(axes, rows, truth, path):
    if not rows:
        raise InputError(path, "has no rows", f"truth {truth}")
    for method, label, colour, marker in METHODS:
        # Zeros have no place on a logarithmic axis; errors below a thousandth of a degree are shown there.
        errors = [max(row[method], 1e-3) for row in rows]
        axes.plot(errors, range(len(rows)), marker, color=colour, label=label, markersize=6,
                  fillstyle="none" if method == "vectors_fitted" else "full", linestyle="none")
    axes.set_xscale("log")
    axes.set_xlim(5e-4, 12)
    axes.set_xticks([0.001, 0.01, 0.1, 1, 10], ["≤ 0.001", "0.01", "0.1", "1", "10"])
    axes.minorticks_off()
    axes.set_yticks(range(len(rows)), [row["model"] for row in rows])
    axes.set_xlabel("mean error over all clips (degrees)")


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
