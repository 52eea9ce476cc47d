"""Plots how far normals are off on real characters, clip by clip, [TPS14 Sec. 6]: out/tarini2014/characters/.

usage: characters.py OUT_DIR

Reads run.json and metrics.csv of OUT_DIR/tarini2014/characters/ and writes figure.pdf and figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, figure_command, load_metrics
from palette import DEFORM, LIGHT_GREY, STANDARD

EXPERIMENT = "tarini2014/characters"
PANELS = {0: "(a) the file's mesh", 1: "(b) every edge bisected"}
METHODS = {"standard": ("standard", STANDARD, "o"), "deform": ("deform factors", DEFORM, "s")}


def load_clips(folder):
    """(model, clip) -> (resolution, method) -> mean error; models as in the file, their clips by falling error of standard
    normals on the file's mesh."""
    clips = {}
    for row in load_metrics(folder):
        if row.truth == "transported" and row.method in METHODS and row.resolution in PANELS:
            clips.setdefault((row.rig, row.pose), {})[row.resolution, row.method] = row.mean_deg
    wanted = [(resolution, method) for resolution in PANELS for method in METHODS]
    for (model, clip), errors in clips.items():
        for resolution, method in wanted:
            if (resolution, method) not in errors:
                raise InputError(folder / "metrics.csv", f"has no row of method {method} at resolution {resolution}",
                                 f"{model}, {clip}")
    if not clips:
        raise InputError(folder / "metrics.csv", "has no row against the transported truth")
    models = list(dict.fromkeys(model for model, _ in clips))
    return dict(sorted(clips.items(), key=lambda item: (models.index(item[0][0]), -item[1][0, "standard"])))


def compose(folder):
    from matplotlib.figure import Figure

    clips = load_clips(folder)
    figure = Figure(figsize=(8.4, 1.5 + 0.19 * len(clips)))
    left, right = figure.subplots(1, 2, sharex=True, sharey=True)
    for axes, resolution in zip((left, right), PANELS):
        _draw_clips(axes, clips, resolution)
    left.set_yticks(range(len(clips)), [f"{model}, {clip}" for model, clip in clips], fontsize="small")
    left.invert_yaxis()
    left.set_xlim(left=0)
    figure.subplots_adjust(left=0.29, right=0.985, top=1 - 0.35 / figure.get_figheight(),
                           bottom=0.85 / figure.get_figheight(), wspace=0.06)
    figure.legend(*left.get_legend_handles_labels(), loc="lower center", bbox_to_anchor=(0.64, 0.005), ncol=2)
    return figure


def _draw_clips(axes, clips, resolution):
    places = range(len(clips))
    errors = {method: [of_clip[resolution, method] for of_clip in clips.values()] for method in METHODS}
    for place, pair in zip(places, zip(*errors.values())):
        axes.plot(pair, [place, place], color=LIGHT_GREY, linewidth=1, zorder=1)
    for method, (label, colour, marker) in METHODS.items():
        axes.plot(errors[method], places, marker, color=colour, markersize=4, label=label)
    axes.set_xlabel("mean error of the clip, degrees")
    axes.set_title(PANELS[resolution])
    axes.margins(y=0.6 / len(clips))


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
