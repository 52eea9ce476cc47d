"""Lays out five ways to blend bones and what tells them apart, from out/slides/blending_gallery/.

usage: blending_gallery.py OUT_DIR

Reads run.json, the tables and the pictures of OUT_DIR/slides/blending_gallery/ and writes figure.pdf and figure.png
beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, figure_command, load_image, load_table
from palette import SKINNING

EXPERIMENT = "slides/blending_gallery"
# In the slides' order; those of the plots in one colour each.
METHODS = [("lbs", "linear (LBS)", SKINNING["lbs"]), ("log", "log-matrix (LOG)", SKINNING["log"]),
           ("sbs", "spherical (SBS)", SKINNING["sbs"]), ("dqs", "dual quaternions (DQS)", SKINNING["dqs"]),
           ("crs", "centres of rotation (CRS)", SKINNING["crs"])]
ROWS = [("tube_bend", "tube, bend 90°"), ("tube_twist", "tube, twist 150°"), ("cuboid_bend", "cuboid, bend 90°"),
        ("cuboid_twist", "cuboid, twist 150°")]
PAIRS = [("third_bone", "A third bone sets in", ("sbs", "dqs")),
         ("turned", "Bent, then turned as a whole", ("log", "dqs"))]
# SBS and CRS turn as DQS does about one axis.
SPEED = [("lbs", "LBS", "-"), ("dqs", "DQS, SBS, CRS", "-"), ("log", "LOG", "-")]


def compose(folder):
    from matplotlib.figure import Figure

    colours = {name: colour for name, _, colour in METHODS}
    pictures = {(row, name): load_image(folder, f"{row}_{name}.png") for row, _ in ROWS for name, *_ in METHODS}
    height, width = next(iter(pictures.values())).shape[:2]
    panel, label, title, plots = 1.3, 0.3, 0.35, 2.9
    tall = panel * height / width
    page = (label + 7 * panel + 0.6, title + len(ROWS) * tall + plots)
    figure = Figure(figsize=page)

    def place(picture, left, top, caption=None):
        axes = figure.add_axes([left / page[0], 1 - (top + tall) / page[1], (panel - 0.04) / page[0],
                                (tall - 0.04) / page[1]])
        axes.imshow(picture, interpolation="lanczos")
        axes.axis("off")
        if caption:
            axes.set_title(caption, pad=4, fontsize=7)

    for line, (row, words) in enumerate(ROWS):
        top = title + line * tall
        figure.text(0.5 * label / page[0], 1 - (top + 0.5 * tall) / page[1], words, rotation=90, ha="center",
                    va="center", fontsize=8)
        for column, (name, words, _) in enumerate(METHODS):
            place(pictures[row, name], label + column * panel, top, words if line == 0 else None)
    for block, (stem, words, names) in enumerate(PAIRS):
        top = title + 2 * block * tall
        left = label + 5 * panel + 0.5
        figure.text((left + panel) / page[0], 1 - (top + 0.12) / page[1], words, ha="center", va="center",
                    fontsize=8)
        for column, name in enumerate(names):
            place(load_image(folder, f"{stem}_{name}.png"), left + column * panel, top + 0.5, name.upper())

    bottom, plot = 0.5 / page[1], (plots - 1.0) / page[1]
    draw_speed(figure.add_axes([0.06, bottom, 0.175, plot]), folder, colours)
    draw_paths(figure.add_axes([0.315, bottom, 0.175, plot]), folder, colours)
    draw_frames(figure.add_axes([0.57, bottom, 0.175, plot]), folder, colours)
    draw_volumes(figure.add_axes([0.815, bottom, 0.175, plot]), folder)
    return figure


def draw_speed(axes, folder, colours):
    rows = load_table(folder / "speed.csv", {"weight": float} | {f"{name}_deg": float for name, *_ in SPEED})
    for name, words, dash in SPEED:
        axes.plot([row["weight"] for row in rows], [row[f"{name}_deg"] for row in rows], dash, label=words,
                  color=colours[name])
    axes.set_xlabel("weight of the twisted bone")
    axes.set_ylabel("degrees")
    axes.set_ylim(-65, 35)  # room for the legend below the curves
    axes.set_title("Turn ahead of its share", fontsize=8)
    axes.legend(loc="lower right", fontsize=7)


def draw_paths(axes, folder, colours):
    rows = load_table(folder / "paths.csv", {"turn_deg": float, "log": float, "dqs": float})
    for name in ("log", "dqs"):
        axes.plot([row["turn_deg"] for row in rows], [row[name] for row in rows], label=name.upper(),
                  color=colours[name])
    axes.set_xticks(range(0, 181, 60))
    axes.set_xlabel("turn of bones (degrees)")
    axes.set_title("Way / shortest way", fontsize=8)
    axes.legend(loc="upper left", fontsize=7)


def draw_frames(axes, folder, colours):
    rows = load_table(folder / "frames.csv", {"turn_deg": float} | {name: float for name, *_ in METHODS})
    turns = [row["turn_deg"] for row in rows]
    axes.plot(turns, [row["log"] for row in rows], label="LOG", color=colours["log"])
    axes.plot(turns, [max(row[name] for name, *_ in METHODS if name != "log") for row in rows],
              label="the others", color=colours["dqs"])
    axes.set_xticks(range(0, 181, 60))
    axes.set_xlabel("turn of the whole (degrees)")
    axes.set_ylabel("tube radii")
    axes.set_title("Skin moved by turning all", fontsize=8)
    axes.legend(loc="upper left", fontsize=7)


def draw_volumes(axes, folder):
    path = folder / "volumes.csv"
    shares = {(row["motion"], row["method"]): row["volume_share"]
              for row in load_table(path, {"motion": str, "method": str, "volume_share": float})}
    for i, (motion, words, alpha) in enumerate((("bend", "bend 90°", 0.5), ("twist", "twist 150°", 1))):
        for x, (name, _, colour) in enumerate(METHODS):
            if (motion, name) not in shares:
                raise InputError(path, "has no such row", f"{motion}, {name}")
            axes.bar(x + 0.4 * i - 0.2, 100 * shares[motion, name], 0.38, color=colour, alpha=alpha)
    axes.set_xticks(range(len(METHODS)), [name.upper() for name, *_ in METHODS])
    axes.set_ylim(88, 101)
    axes.set_ylabel("%")
    axes.set_title("Volume kept, bend | twist", fontsize=8)


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
