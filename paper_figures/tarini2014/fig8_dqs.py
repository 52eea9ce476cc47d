"""Composes [TPS14 Fig. 8] from out/tarini2014/fig8_dqs/: dual quaternion skinning of characters from
near, and of a tube that bends and twists.

usage: fig8_dqs.py OUT_DIR

Reads run.json, metrics.csv, insets.csv and the pictures of OUT_DIR/tarini2014/fig8_dqs/ and writes figure.pdf and figure.png
beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import insets
from common import InputError, convergence, figure_command, load_image, load_metrics, measured_order
from palette import APPROXIMATION, EXACT, STANDARD

EXPERIMENT = "tarini2014/fig8_dqs"
WEIGHTING = "deformed area"
RIG = "cylinder_96"
POSES = [("bend_30", "bend 30°"), ("bend_60", "bend 60°"), ("bend_90", "bend 90°"),
         ("twist_60", "twist 60°"), ("twist_120", "twist 120°")]
# The paper's columns are standard, ours, ground truth; the exact derivative and the error maps are added.
COLUMNS = [("standard", "standard"), ("approximation", "paper's\napproximation"), ("exact", "exact derivative"),
           ("truth", "analytic truth"), ("error_standard", "error of standard"),
           ("error_approximation", "error of paper's\napproximation"),
           ("error_exact", "error of exact\nderivative")]
METHODS = [("standard", "standard", STANDARD, "o"),
           ("approximation", "paper's approximation", APPROXIMATION, "s"),
           ("exact", "exact derivative", EXACT, "D")]


CHARACTERS = [("formal", "Formal, Roll"), ("man", "Cesium Man, 0.75 s"), ("trex", "T-Rex, Run")]
WAYS = [("standard", "standard"), ("approximation", "paper's approximation"), ("exact", "exact derivative")]
ERRORS = [("standard", "standard", STANDARD), ("approximation", "approximation", APPROXIMATION)]

# Of the tube, in inches: panels, labels to their left, titles, the two plots below.
PANEL, LABEL, TITLE, PLOT = 1.35, 0.35, 0.45, 2.9


def compose(folder):
    """The paper's figure, characters, above; the tube, whose truth is known in closed form, below."""
    from matplotlib.figure import Figure

    try:
        shown = insets.rows_shown(folder, CHARACTERS, WAYS)
    except InputError as error:
        if "no rows" not in str(error):
            raise
        figure = Figure(figsize=_tube_size(folder))  # no models
        _tube(folder, figure)
        return figure
    width, height = insets.size_of(folder, shown, WAYS)
    tube_width, tube_height = _tube_size(folder)
    tall = tube_height * width / tube_width
    figure = Figure(figsize=(width, height + tall))
    above, below = figure.subfigures(2, 1, height_ratios=[height, tall])
    insets.draw(above, folder, shown, WAYS, ERRORS)
    _tube(folder, below)
    return figure


def _tube_size(folder):
    picture = load_image(folder, f"{POSES[0][0]}_error_standard.png")
    return LABEL + len(COLUMNS) * PANEL, TITLE + len(POSES) * PANEL * picture.shape[0] / picture.shape[1] + PLOT


def _tube(folder, figure):
    path = folder / "metrics.csv"
    metrics = load_metrics(folder)
    means = {(pose, method): _mean(metrics, path, pose, method) for pose, _ in POSES for method, *_ in METHODS}
    pictures = {(pose, column): load_image(folder, f"{pose}_{column}.png")
                for pose, _ in POSES for column, _ in COLUMNS}
    height, width = pictures[POSES[0][0], "standard"].shape[:2]

    page = _tube_size(folder)
    panel_height = PANEL * pictures[POSES[0][0], "error_standard"].shape[0] / width
    for row, (pose, pose_label) in enumerate(POSES):
        top = 1 - (TITLE + row * panel_height) / page[1]
        figure.text(0.5 * LABEL / page[0], top - 0.5 * PANEL * height / width / page[1], pose_label,
                    rotation=90, ha="center", va="center")
        for column, (name, title) in enumerate(COLUMNS):
            picture = pictures[pose, name]
            shown = PANEL * picture.shape[0] / picture.shape[1] / page[1]
            axes = figure.add_axes([(LABEL + column * PANEL) / page[0] + 0.004, top - shown,
                                    PANEL / page[0] - 0.008, shown])
            axes.imshow(picture, interpolation="lanczos")
            axes.axis("off")
            if row == 0:
                axes.set_title(title, pad=4)

    bottom, plot_top = 0.55 / page[1], (PLOT - 0.45) / page[1]
    _draw_means(figure.add_axes([0.09, bottom, 0.36, plot_top - bottom]), means)
    _draw_convergence(figure.add_axes([0.57, bottom, 0.41, plot_top - bottom]), metrics, path)


def _mean(metrics, path, pose, method):
    for row in metrics:
        if (row.rig, row.pose, row.method, row.truth, row.weighting) == (RIG, pose, method, "analytic", WEIGHTING):
            return row.mean_deg
    raise InputError(path, "has no such row", f"{RIG}, {pose}, {method}, analytic, {WEIGHTING}")


def _draw_means(axes, means):
    width = 0.27
    for i, (method, label, colour, _) in enumerate(METHODS):
        for x, (pose, _) in enumerate(POSES):
            value = means[pose, method]
            axes.bar(x + (i - 1) * width, value, width, color=colour, label=label if x == 0 else None)
            text = "0" if value < 1e-9 else "< .02" if value < 0.02 else f"{value:.1f}"
            axes.text(x + (i - 1) * width, value + 0.1, text, ha="center", va="bottom", fontsize=6)
    axes.set_ylim(0, 1.15 * max(means.values()))
    axes.set_xticks(range(len(POSES)), [label for _, label in POSES])
    axes.set_ylabel("mean error, degrees")
    axes.set_title("mean error, 96 segments, mesh gradients", pad=4)
    axes.legend(loc="upper left", fontsize=7)


def _draw_convergence(axes, metrics, path):
    rows = [row for row in metrics if row.pose == "bend_60"]
    for method, label, colour, marker in METHODS:
        segments, rms = convergence(rows, path, truth="analytic", weighting=WEIGHTING, family="cylinder",
                                    method=method)
        order = measured_order(segments, rms)
        # "+ 0" turns the -0.00 of a flat line into 0.00.
        axes.plot(segments, rms, marker=marker, color=colour, label=f"{label}: order {round(order, 2) + 0:.2f}")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(segments, [str(s) for s in segments])
    axes.set_xlabel("segments around the tube")
    axes.set_ylabel("RMS error, degrees")
    axes.set_title("convergence, bend 60°, against the analytic normal", pad=4)
    axes.yaxis.set_major_formatter("{x:g}")
    axes.legend(loc="lower left", fontsize=7)


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
