"""Plots bytes against degrees of normals in few bits: out/beyond/quantised/.

usage: quantised.py OUT_DIR

Reads run.json and formats.csv of OUT_DIR/beyond/quantised/ and writes figure.pdf and figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, figure_command, load_table
from palette import DEFORM, SMOOTHED, VECTORS

EXPERIMENT = "beyond/quantised"
MODELS = ["fox", "quaternius-formal", "cesium-man", "trex"]
MODES = [("deform", "deform factors", DEFORM, "o"), ("smoothed", "smooth weights", SMOOTHED, "D"),
         ("deform-vectors", "deform vectors", VECTORS, "^")]
FORMATS = ["f32", "f16", "snorm16", "snorm8"]


def compose(folder):
    from matplotlib.figure import Figure

    columns = {"mode": str, "format": str, "bytes": int}
    columns.update({model: float for model in MODELS})
    path = folder / "formats.csv"
    rows = load_table(path, columns)
    figure = Figure(figsize=(10.2, 3.7))
    grid = figure.add_gridspec(1, len(MODELS), left=0.065, right=0.99, bottom=0.29, top=0.92, wspace=0.28)
    for column, model in enumerate(MODELS):
        axes = figure.add_subplot(grid[column])
        _draw_model(axes, rows, model, path)
        axes.set_title(model)
        axes.set_xlabel("bytes per vertex")
        if column == 0:
            axes.set_ylabel("mean error (degrees)")
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", bbox_to_anchor=(0.5, 0.055), ncols=3)
    figure.text(0.5, 0.02, "from right to left: 32-bit floats; 16 bits: halves (filled) and integers (open); 8-bit "
                           "integers", ha="center", fontsize="small")
    return figure


def _draw_model(axes, rows, model, path):
    for mode, label, colour, marker in MODES:
        of_mode = {row["format"]: row for row in rows if row["mode"] == mode}
        missing = [name for name in FORMATS if name not in of_mode]
        if missing:
            raise InputError(path, f"has no format {', '.join(missing)}", mode)
        line = [of_mode[name] for name in ("f32", "f16", "snorm8")]
        axes.plot([row["bytes"] for row in line], [row[model] for row in line], marker=marker, color=colour, label=label)
        integers = of_mode["snorm16"]
        axes.plot([integers["bytes"]], [integers[model]], marker=marker, color=colour, fillstyle="none", markersize=9,
                  linestyle="none")
    axes.set_xscale("log", base=2)
    axes.set_xticks([6, 12, 24, 48, 96], ["6", "12", "24", "48", "96"])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
