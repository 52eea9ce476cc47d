"""Lays out a morphed and bent tube with its normals and their errors, from out/slides/morph_targets/.

usage: morph_targets.py OUT_DIR

Reads run.json, errors.csv and the pictures of OUT_DIR/slides/morph_targets/ and writes figure.pdf and figure.png
beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, figure_command, load_image, load_table
from palette import BLUE, ORANGE, PURPLE, VERMILION

EXPERIMENT = "slides/morph_targets"
UPPER = [("rest", "at rest"), ("authored_standard", "authored, standard"), ("carried_deform", "carried, deform factors"),
         ("truth", "truth")]
LOWER = [None, ("error_authored_standard", "its error"), ("error_carried_deform", "its error"), None]
CURVES = [("authored_standard", "authored normals, standard", VERMILION, "-"),
          ("carried_standard", "carried normals, standard", ORANGE, "--"),
          ("authored_deform", "orthonormal tangents, deform factors", PURPLE, "--"),
          ("carried_deform", "carried tangents, deform factors", BLUE, "-")]


def compose(folder):
    from matplotlib.figure import Figure

    path = folder / "errors.csv"
    rows = load_table(path, {"way": str, "segments": int, "rms_deg": float})
    figure = Figure(figsize=(9.2, 4.3))
    grid = figure.add_gridspec(2, 4, left=0.005, right=0.655, bottom=0.01, top=0.93, wspace=0.03, hspace=0.1,
                               height_ratios=(420, 464))
    for line, panels in enumerate((UPPER, LOWER)):
        for column, panel in enumerate(panels):
            axes = figure.add_subplot(grid[line, column])
            axes.axis("off")
            if panel is None:
                continue
            axes.imshow(load_image(folder, f"{panel[0]}.png"), interpolation="lanczos")
            axes.set_anchor("N")
            axes.set_title(panel[1], pad=4)
    axes = figure.add_axes([0.725, 0.115, 0.265, 0.80])
    for way, label, colour, dash in CURVES:
        chosen = sorted((row["segments"], row["rms_deg"]) for row in rows if row["way"] == way)
        if not chosen:
            raise InputError(path, "no rows", f"way {way}")
        axes.plot(*zip(*chosen), color=colour, linestyle=dash, marker="o", label=label)
    axes.set_xscale("log")
    axes.set_yscale("log")
    ticks = sorted({row["segments"] for row in rows})
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.minorticks_off()
    axes.set_ylim(0.02, 500)
    axes.set_yticks([0.1, 1, 10, 100], ["0.1", "1", "10", "100"])
    axes.set_xlabel("segments around the tube")
    axes.set_ylabel("RMS error (degrees)")
    axes.legend(loc="upper right", fontsize=7)
    return figure


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
