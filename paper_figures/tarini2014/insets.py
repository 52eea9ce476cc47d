"""What figures of animations share: frames, and the place where standard normals are most visibly wrong from near."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, load_image, load_table
from palette import BLACK, DEFORM, STANDARD

INSETS = {"stem": str, "left": float, "top": float, "width": float, "height": float, "lines_standard": float,
          "lines_deform": float, "shaded_standard": float, "shaded_deform": float}
WAYS = [("standard", "standard"), ("deform", "ours"), ("truth", "truth")]
ERRORS = [("standard", "standard", STANDARD), ("deform", "ours", DEFORM)]
PAPER = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5}  # under text on pictures
PANEL, GAP, LEFT, HEADING, FOOT = 1.62, 0.07, 0.05, 0.34, 0.52  # inches


def three_way(folder, subjects):
    """[TPS14 Fig. 6, 7]: per subject the whole frame with a box, and the box from near: shaded above, lines of reflection
    below, standard, ours and truth; on the right the angles that the first two are off.

    subjects: (stem, heading); those without pictures are left out.
    """
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    rows = {row["stem"]: row for row in load_table(folder / "insets.csv", INSETS)}
    shown = [(stem, heading) for stem, heading in subjects if stem in rows]
    if not shown:
        raise InputError(folder / "insets.csv", "has none of the figure's frames")
    whole_height = 2 * PANEL + GAP
    block = whole_height + HEADING
    picture = load_image(folder, f"{shown[0][0]}_whole.png")
    whole_width = whole_height * picture.shape[1] / picture.shape[0]
    width = LEFT + whole_width + 4 * (PANEL + GAP) + 0.1
    height = len(shown) * block + FOOT
    figure = Figure(figsize=(width, height))

    def panel(x, y, wide, tall, image):
        axes = figure.add_axes([x / width, y / height, wide / width, tall / height])
        axes.imshow(image, interpolation="lanczos")
        axes.axis("off")
        return axes

    for i, (stem, heading) in enumerate(shown):
        row, bottom = rows[stem], FOOT + (len(shown) - 1 - i) * block
        picture = load_image(folder, f"{stem}_whole.png")
        axes = panel(LEFT, bottom, whole_width, whole_height, picture)
        tall, wide = picture.shape[:2]
        axes.add_patch(Rectangle((row["left"] * wide, row["top"] * tall), row["width"] * wide, row["height"] * tall,
                                 fill=False, edgecolor=BLACK, linewidth=1.2))
        figure.text((LEFT + whole_width / 2) / width, (bottom + whole_height + 0.09) / height, heading, ha="center",
                    va="bottom", fontsize=9)
        for column, (way, label) in enumerate(WAYS):
            x = LEFT + whole_width + GAP + column * (PANEL + GAP)
            for what, y in (("shaded", bottom + PANEL + GAP), ("lines", bottom)):
                axes = panel(x, y, PANEL, PANEL, load_image(folder, f"{stem}_{what}_{way}.png"))
                if way != "truth":
                    axes.text(0.03, 0.03, f"FLIP {row[f'{what}_{way}']:.2f}", transform=axes.transAxes, fontsize=7, bbox=PAPER)
            figure.text((x + PANEL / 2) / width, (bottom + whole_height + 0.09) / height, label, ha="center", va="bottom",
                        fontsize=9)
        x = LEFT + whole_width + GAP + 3 * (PANEL + GAP)
        for line, (way, label, colour) in enumerate(ERRORS):
            axes = panel(x, bottom + (1 - line) * (PANEL + GAP), PANEL, PANEL, load_image(folder, f"{stem}_off_{way}.png"))
            axes.text(0.03, 0.95, label, transform=axes.transAxes, fontsize=8, color=colour, va="top",
                      bbox=PAPER)
        figure.text((x + PANEL / 2) / width, (bottom + whole_height + 0.09) / height, "degrees off the truth", ha="center",
                    va="bottom", fontsize=9)
    figure.text(0.5, 0.08 / height, "The box, where the difference is most visible, from near: shaded (above) and mirroring "
                "stripes of 30 degrees\naround the picture's vertical axis (below). FLIP: how visible the difference from "
                "the truth is, 0 to 1 (weighted median).", ha="center", va="bottom", fontsize=8)
    return figure
