"""Composes [TPS14 Fig. 4] from out/tarini2014/fig4_cancellation/: naive against stable, pictures and curves.

usage: fig4_cancellation.py OUT_DIR

Reads run.json, cancellation.csv and the panels of OUT_DIR/tarini2014/fig4_cancellation/ and writes figure.pdf and
figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, figure_command, load_image, load_table
from palette import BLUE, GREEN, GREY, VERMILION

EXPERIMENT = "tarini2014/fig4_cancellation"
# Upper row as in the paper: naive left, stable right.
PANELS = [("naive", "naive (Eq. 10)"), ("stable", "stable (Eq. 13)"), ("naive_pivot", "naive, with a pivot")]
STORED = [("float", "factors in float", BLUE), ("half", "factors in half precision", VERMILION),
          ("dropped", "a bone dropped", GREEN)]
FORMS = [("naive", "--", "o", "naive (Eq. 10)"), ("stable", "-", "s", "stable (Eq. 13)"),
         ("first", ":", "^", "translations first")]
PICTURED = 1e4  # distance of the pictures


def curve(rows, path, factors, form, pivot):
    chosen = [row for row in rows if (row["factors"], row["form"], row["pivot"]) == (factors, form, pivot)]
    if not chosen:
        raise InputError(path, "no rows", f"factors {factors}, form {form}, pivot {pivot}")
    return [row["distance"] for row in chosen], [row["max_deg"] for row in chosen]


def compose(folder):
    from matplotlib.figure import Figure

    path = folder / "cancellation.csv"
    rows = load_table(path, {"factors": str, "form": str, "pivot": int, "distance": float, "max_deg": float})
    figure = Figure(figsize=(9.2, 4.9))
    grid = figure.add_gridspec(2, 3, left=0.005, right=0.46, bottom=0.01, top=0.895, wspace=0.03, hspace=0.0)
    for column, (name, title) in enumerate(PANELS):
        for row, kind in enumerate(("posed", "error")):
            axes = figure.add_subplot(grid[row, column])
            axes.imshow(load_image(folder, f"{kind}_{name}.png"), interpolation="lanczos")
            axes.set_anchor("N")
            axes.axis("off")
            if row == 0:
                axes.set_title(title, pad=4)
    figure.text(0.2325, 0.968, "half-precision factors, 10,000 units from the origin", ha="center", va="center")
    _draw_curves(figure.add_axes([0.572, 0.115, 0.418, 0.80]), rows, path)
    return figure


def _draw_curves(axes, rows, path):
    for factors, label, colour in STORED:
        for form, dash, marker, name in FORMS:
            x, y = curve(rows, path, factors, form, 0)
            axes.plot(x, y, linestyle=dash, marker=marker, color=colour, markersize=4,
                      markerfacecolor="white" if form == "naive" else colour, label=f"{label}, {name}")
    for form, dash, marker, name in FORMS:
        x, y = curve(rows, path, "float", form, 1)
        axes.plot(x, y, linestyle=dash, marker=marker, color=GREY, markersize=3,
                  markerfacecolor="white" if form == "naive" else GREY, label=f"float with a pivot, {name}")
    axes.plot([PICTURED, PICTURED], [3e-6, 300], color="black", linewidth=0.8, linestyle=":")
    axes.text(PICTURED * 1.15, 2.2e-5, "pictures", rotation=90, ha="left", va="bottom", fontsize=8)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(3e-6, 1e5)
    axes.set_yticks([10.0 ** k for k in range(-5, 3)],
                    ["0.00001", "0.0001", "0.001", "0.01", "0.1", "1", "10", "100"])
    axes.minorticks_off()
    axes.set_xlabel("size of the translations (units; the body is 6 long)")
    axes.set_ylabel("largest error of the normals (degrees)")
    axes.set_title("Largest error, largest factor 0.11 per unit")
    axes.legend(loc="upper left", ncols=2, columnspacing=1.0, handlelength=2.2, fontsize=5.5)


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
