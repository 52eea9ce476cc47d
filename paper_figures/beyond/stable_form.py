"""Plots digits over distance for Eq. 10, Eq. 13 and translations first: out/beyond/stable_form/.

usage: stable_form.py OUT_DIR

Reads run.json and digits.csv of OUT_DIR/beyond/stable_form/ and writes figure.pdf and figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, figure_command, load_table
from palette import DEFORM, GREY, SMOOTHED, STANDARD, VECTORS

EXPERIMENT = "beyond/stable_form"
FORMS = [("naive", "Eq. 10", STANDARD, "o", "-"), ("eq13", "Eq. 13 as printed", GREY, "s", "-"),
         ("first", "translations first", DEFORM, "^", "-")]
OTHERS = [("smoothed", "translations first, smooth weights", SMOOTHED, "v", ":"),
          ("vectors", "translations first, deform vectors", VECTORS, "D", ":")]
LEAST = 6.8  # digits that evaluation is to keep


def compose(folder):
    from matplotlib.figure import Figure

    path = folder / "digits.csv"
    rows = load_table(path, {"digits_of": str, "form": str, "pivot": int, "distance": float, "p50": float, "p01": float})
    figure = Figure(figsize=(9.4, 4.3))
    left, right = figure.subplots(1, 2, sharey=True)
    figure.subplots_adjust(left=0.065, right=0.985, bottom=0.13, top=0.92, wspace=0.06)
    for form, label, colour, marker, dash in FORMS + OTHERS:
        distance, p50, p01 = curve(rows, path, "evaluation", form, 0)
        left.plot(distance, p50, color=colour, marker=marker, linestyle=dash, label=label)
        if (form, label, colour, marker, dash) in FORMS:
            left.fill_between(distance, p01, p50, color=colour, alpha=0.15, linewidth=0)
    left.axhline(LEAST, color="black", linewidth=0.8, linestyle="--")
    left.text(1e6, LEAST - 0.08, f"{LEAST} digits", ha="center", va="top", fontsize=8)
    left.set_title("Evaluation: from the same floats (band: worst 1 %)")
    for form, label, colour, marker, _ in FORMS:
        for pivot, dash, words in ((0, "-", ""), (1, ":", ", with a pivot")):
            distance, p50, _ = curve(rows, path, "whole", form, pivot)
            right.plot(distance, p50, color=colour, marker=marker, linestyle=dash, label=label + words)
    right.set_title("Whole: translations rounded to float as well")
    for axes in (left, right):
        axes.set_xscale("log")
        axes.set_ylim(-0.5, 8)
        axes.set_xlabel("size of the translations (units)")
        axes.legend(loc="lower left", fontsize=8)
    left.set_ylabel("digits of the normal, $-$log10 of the angle (median)")
    return figure


def curve(rows, path, digits_of, form, pivot):
    chosen = sorted((row["distance"], row["p50"], row["p01"]) for row in rows
                    if (row["digits_of"], row["form"], row["pivot"]) == (digits_of, form, pivot))
    if not chosen:
        raise InputError(path, "has no rows", f"{digits_of} of form {form}, pivot {pivot}")
    return zip(*chosen)


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
