"""What figures of animations share: frames, and the place where standard normals are most visibly wrong from near."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, load_image, load_table
from palette import BLACK, DEFORM, STANDARD

PLACE = {"stem": str, "left": float, "top": float, "width": float, "height": float}
WAYS = [("standard", "standard"), ("deform", "ours")]
ERRORS = [("standard", "standard", STANDARD), ("deform", "ours", DEFORM)]
PAPER = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5}  # under text on pictures
PANEL, GAP, LEFT, HEADING, FOOT = 1.62, 0.07, 0.05, 0.34, 0.52  # inches
WHOLE = 2 * PANEL + GAP  # height


def three_way(folder, subjects, ways=None, errors=None):
    """[TPS14 Fig. 6, 7, 8]: per subject the whole frame with a box, and the box from near: shaded above, lines of reflection
    below, each of `ways` and the truth; on the right by how many degrees two of them, `errors`, are off.

    subjects: (stem, heading); those without pictures are left out. ways, errors: (name in files, label[, colour]).
    """
    from matplotlib.figure import Figure

    shown = rows_shown(folder, subjects, ways or WAYS)
    figure = Figure(figsize=size_of(folder, shown, ways or WAYS))
    draw(figure, folder, shown, ways or WAYS, errors or ERRORS)
    return figure


def rows_shown(folder, subjects, ways):
    """(heading, row of insets.csv) of the subjects that were drawn."""
    numbers = {f"{what}_{way}": float for way, _ in ways for what in ("lines", "shaded")}
    rows = {row["stem"]: row for row in load_table(folder / "insets.csv", {**PLACE, **numbers})}
    shown = [(heading, rows[stem]) for stem, heading in subjects if stem in rows]
    if not shown:
        raise InputError(folder / "insets.csv", "has none of the figure's frames")
    return shown


def _whole_width(folder, shown):
    picture = load_image(folder, f"{shown[0][1]['stem']}_whole.png")
    return WHOLE * picture.shape[1] / picture.shape[0]


def size_of(folder, shown, ways):
    """Width and height in inches."""
    return (LEFT + _whole_width(folder, shown) + (len(ways) + 2) * (PANEL + GAP) + 0.1,
            len(shown) * (WHOLE + HEADING) + FOOT)


def draw(figure, folder, shown, ways, errors):
    """Into a figure, or a part of one, of size_of()."""
    width, height = size_of(folder, shown, ways)
    whole_width = _whole_width(folder, shown)
    columns = [*ways, ("truth", "truth")]

    def panel(x, y, wide, tall, name):
        axes = figure.add_axes([x / width, y / height, wide / width, tall / height])
        axes.imshow(load_image(folder, name), interpolation="lanczos")
        axes.axis("off")
        return axes

    for i, (heading, row) in enumerate(shown):
        stem, bottom = row["stem"], FOOT + (len(shown) - 1 - i) * (WHOLE + HEADING)

        def title(x, wide, text):
            figure.text((x + wide / 2) / width, (bottom + WHOLE + 0.09) / height, text, ha="center", va="bottom",
                        fontsize=9)

        box(panel(LEFT, bottom, whole_width, WHOLE, f"{stem}_whole.png"), row)
        title(LEFT, whole_width, heading)
        for column, (way, label) in enumerate(columns):
            x = LEFT + whole_width + GAP + column * (PANEL + GAP)
            title(x, PANEL, label)
            for what, y in (("shaded", bottom + PANEL + GAP), ("lines", bottom)):
                axes = panel(x, y, PANEL, PANEL, f"{stem}_{what}_{way}.png")
                if way != "truth":
                    axes.text(0.03, 0.03, f"FLIP {row[f'{what}_{way}']:.2f}", transform=axes.transAxes, fontsize=7, bbox=PAPER)
        x = LEFT + whole_width + GAP + len(columns) * (PANEL + GAP)
        title(x, PANEL, "degrees off the truth")
        for line, (way, label, colour) in enumerate(errors):
            axes = panel(x, bottom + (1 - line) * (PANEL + GAP), PANEL, PANEL, f"{stem}_off_{way}.png")
            axes.text(0.03, 0.95, label, transform=axes.transAxes, fontsize=8, color=colour, va="top", bbox=PAPER)
    figure.text(0.5, 0.08 / height, "The box, where the difference is most visible, from near: shaded (above) and mirroring "
                "stripes of 30 degrees\naround the picture's vertical axis (below). FLIP: how visible the difference from "
                "the truth is, 0 to 1 (weighted median).", ha="center", va="bottom", fontsize=8)


def box(axes, row):
    """Frames the place of a row with left, top, width and height on the whole picture."""
    from matplotlib.patches import Rectangle

    tall, wide = axes.images[0].get_array().shape[:2]
    axes.add_patch(Rectangle((row["left"] * wide, row["top"] * tall), row["width"] * wide, row["height"] * tall, fill=False,
                             edgecolor=BLACK, linewidth=1.2))
