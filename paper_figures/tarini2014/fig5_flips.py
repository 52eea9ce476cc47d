"""Composes the flipped normals of [TPS14 Fig. 5] from out/tarini2014/fig5_flips/: a stain, guards, counts, costs.

usage: fig5_flips.py OUT_DIR

Reads run.json, stain.csv, guards.csv and the pictures of OUT_DIR/tarini2014/fig5_flips/ and writes figure.pdf and figure.png
beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from common import InputError, figure_command, load_image, load_table
from insets import box
from palette import BLUE, ORANGE

EXPERIMENT = "tarini2014/fig5_flips"
# The paper's three, then the clamp that it prints and what the triangles say.
PANELS = [("standard", "(a) standard"), ("unguarded", "(b) ours, unguarded"), ("test-then-fix", "(c) ours, test and fix"),
          ("clamp-0.9", "(d) ours, clamp c = 0.9 as printed"), ("truth", "(e) truth")]
NOTE = """In the box one vertex is bound wrongly.
Standard normals hide it. Deform
factors stain the knee, and so does
the truth: the triangles are bent there.
The printed clamp keeps much of the
stain. Testing first, and shortening
only what has flipped, takes most
of it away.

Below: six poses of a capsule on which
3 % of the vertices are bound at random."""
PANEL, GAP, TITLE, CHART = 2.3, 0.1, 0.26, 2.1  # inches
ROWS = [("standard", "standard"), ("unguarded", "unguarded"), ("clamp-0.9", "clamp 0.9"),
        ("clamp-0.707", "clamp 0.707"), ("clamp-0.5", "clamp 0.5"), ("joint", "joint 0.9"),
        ("test-then-fix-0.9", "clamp 0.9, then fix"), ("test-then-fix", "test and fix")]
AGAINST = [("flips_against_Tn0", "against T n0", BLUE), ("flips_against_transported", "against the truth", ORANGE)]


def load_counts(path):
    """normals -> the columns of guards.csv on the jagged rig turned by 60 degrees, as numbers."""
    columns = {name: float for name in ("vertices", "regular_lost_deg", *(name for name, _, _ in AGAINST))}
    rows = load_table(path, {"rig": str, "degrees": float, "normals": str, **columns})
    counts = {row["normals"]: row for row in rows if row["rig"] == "jagged" and row["degrees"] == 60}
    for name, _ in ROWS:
        if name not in counts:
            raise InputError(path, "has no row for the jagged rig turned by 60 degrees", name)
    return counts


def compose(folder):
    from matplotlib.figure import Figure

    counts = load_counts(folder / "guards.csv")
    place = load_table(folder / "stain.csv", {"normals": str, **{key: float for key in ("left", "top", "width", "height")}})
    if not place:
        raise InputError(folder / "stain.csv", "has no rows")
    whole = load_image(folder, "body_whole.png")
    block = 2 * PANEL + GAP + TITLE
    whole_width = block * whole.shape[1] / whole.shape[0]
    width, height = 0.05 + whole_width + 3 * (PANEL + GAP) + 0.1, block + TITLE + CHART + 0.5
    figure = Figure(figsize=(width, height))

    def axes_at(x, y, wide, tall):
        return figure.add_axes([x / width, y / height, wide / width, tall / height])

    def picture(x, y, wide, tall, image, title):
        axes = axes_at(x, y, wide, tall)
        axes.imshow(image, interpolation="lanczos")
        axes.set_title(title, pad=4)
        axes.axis("off")
        return axes

    bottom = height - TITLE - block
    box(picture(0.05, bottom, whole_width, block, whole, "a body with a few bad weights"), place[0])
    for i, (name, title) in enumerate(PANELS):
        x, y = 0.05 + whole_width + GAP + i % 3 * (PANEL + GAP), bottom + (1 - i // 3) * (PANEL + GAP + TITLE)
        picture(x, y, PANEL, PANEL, load_image(folder, f"body_{name}.png"), title)
    x, y = 0.05 + whole_width + GAP + 2 * (PANEL + GAP), bottom + PANEL
    figure.text(x / width, y / height, NOTE, va="top", fontsize=7.5, linespacing=1.4)
    chart = 0.5 * (width - 3.3)
    _bars(axes_at(1.5, 0.45, chart, CHART - 0.35), counts, [(key, label, colour, 1) for key, label, colour in AGAINST],
          "(f) flipped normals, % of the vertices")
    _bars(axes_at(3.1 + chart, 0.45, chart, CHART - 0.35), counts, [("regular_lost_deg", "", BLUE, 0)],
          "(g) what the guard costs elsewhere, degrees")
    return figure


def _bars(axes, counts, series, title):
    """Horizontal bars, one group per guard; a share of the vertices in percent where the last entry says so."""
    thickness = 0.8 / len(series)
    rows = ROWS if series[0][3] else ROWS[2:]
    for i, (key, label, colour, share) in enumerate(series):
        values = [100 * counts[n][key] / counts[n]["vertices"] if share else counts[n][key] for n, _ in rows]
        at = [y + (i - (len(series) - 1) / 2) * thickness for y in range(len(rows))]
        axes.barh(at, values, thickness, color=colour, label=label)
    axes.set_yticks(range(len(rows)), [label for _, label in rows])
    axes.tick_params(labelsize=8)
    axes.invert_yaxis()
    axes.set_title(title, pad=4)
    if len(series) > 1:
        axes.legend(fontsize=7.5, loc="lower right")


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
