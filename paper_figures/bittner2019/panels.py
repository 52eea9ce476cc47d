"""What the figures of [BTGM19] share: a row of pictures with titles, the colours of the methods, curves from tables."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, load_image
from palette import SKINNING

METHODS = tuple((name, name.upper(), SKINNING[name], dash) for name, dash in
                (("lbs", "-"), ("dqs", "-"), ("crs", "--"), ("sbs", "-."), ("log", ":")))
LABELS = {name: label for name, label, _, _ in METHODS}


def picture_row(figure, folder, files, left, bottom, height, gap=0.08):
    """Pictures side by side, all as tall as `height`, from (left, bottom) on, in inches; returns their axes and right edge.

    files: (file, title) each; a title may have several lines.
    """
    width, tall = figure.get_size_inches()
    row = []
    for file, title in files:
        picture = load_image(folder, file)
        wide = height * picture.shape[1] / picture.shape[0]
        axes = figure.add_axes([left / width, bottom / tall, wide / width, height / tall])
        axes.imshow(picture, interpolation="lanczos")
        axes.axis("off")
        axes.set_title(title, pad=4)
        row.append(axes)
        left += wide + gap
    return row, left - gap


def row_width(folder, files, height, gap=0.08):
    """How wide picture_row() is, in inches."""
    shapes = [load_image(folder, file).shape for file, _ in files]
    return sum(height * shape[1] / shape[0] + gap for shape in shapes) - gap


def plot_axes(figure, left, bottom, width, height):
    """Axes of that place and size in inches."""
    wide, tall = figure.get_size_inches()
    return figure.add_axes([left / wide, bottom / tall, width / wide, height / tall])


def curves(rows, path, x, y, methods=None):
    """(label, colour, dash, xs, ys) of each method of a table; `methods`: names, all by default."""
    found = []
    for name, label, colour, dash in METHODS:
        if methods is not None and name not in methods:
            continue
        own = [row for row in rows if row["method"] == name]
        if not own:
            raise InputError(path, "has no row", f"method {name}")
        found.append((label, colour, dash, [row[x] for row in own], [row[y] for row in own]))
    return found
