"""Plots what each kind of normals leaves of the standard error over many rigs, and which kind pays where: out/beyond/survey/.

usage: survey.py OUT_DIR

Reads run.json and survey.csv of OUT_DIR/beyond/survey/ and writes figure.pdf and figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, figure_command, load_table
from palette import BLACK, DEFORM, SMOOTHED, VECTORS

EXPERIMENT = "beyond/survey"
KINDS = [("deform", "deform factors", DEFORM, "s"), ("smoothed", "smooth weights", SMOOTHED, "D"),
         ("deform-vectors", "deform vectors", VECTORS, "^")]
FLOOR = 1e-3  # share of the standard error: less is not told apart from nothing


def compose(folder):
    from matplotlib.figure import Figure

    columns = {"model": str, "change": str, "weight_change_q3": float, "standard": float, "pays": str, "predicted": str}
    columns.update({kind: float for kind, _, _, _ in KINDS})
    path = folder / "survey.csv"
    rows = [row for row in load_table(path, columns) if row["pays"]]
    if not rows:
        raise InputError(path, "has no rig on which a kind of normals pays")
    figure = Figure(figsize=(9.6, 4.4))
    left, right = figure.subplots(1, 2, gridspec_kw={"left": .075, "right": .985, "bottom": .13, "top": .92, "wspace": .2})
    _draw_shares(left, rows)
    _draw_choice(right, rows)
    return figure


def _draw_shares(axes, rows):
    for kind, label, colour, _ in KINDS:
        shares = sorted(max(row[kind] / row["standard"], FLOOR) for row in rows)
        axes.step(shares, [(i + 1) / len(shares) for i in range(len(shares))], where="post", color=colour, label=label)
    axes.axvline(1, color=BLACK, linewidth=.8)
    axes.text(1.06, .03, "worse than\nstandard", fontsize=8)
    axes.set_xscale("log")
    axes.set_xlim(FLOOR, 6)
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("error over that of standard normals")
    axes.set_ylabel(f"share of {len(rows)} rigs")
    axes.set_title("What is left")
    axes.legend(loc="upper left")


def _draw_choice(axes, rows):
    for kind, label, colour, marker in KINDS:
        for hit in (True, False):
            chosen = [row for row in rows if row["pays"] == kind and (row["predicted"] == kind) == hit]
            axes.scatter([row["weight_change_q3"] for row in chosen], [row["deform"] / row["standard"] for row in chosen],
                         marker=marker, s=26, facecolor=colour if hit else "none", edgecolor=colour,
                         label=f"{label} pay" if hit else None)
    axes.scatter([], [], marker="o", s=26, facecolor="none", edgecolor=BLACK, label="hollow: another kind was named")
    axes.axhline(1, color=BLACK, linewidth=.8)
    axes.set_ylim(0, None)
    axes.set_xlabel("change of weight along an edge, upper quartile of the rig")
    axes.set_ylabel("error of deform factors over standard")
    axes.set_title("The cheapest kind that takes four fifths of the best gain")
    axes.legend(loc="upper left", fontsize=8)


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
