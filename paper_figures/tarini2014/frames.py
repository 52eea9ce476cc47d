"""What the figures of animations share: a grid of pictures, one column per frame or per method, in blocks."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import load_image, load_run
from palette import GREY


def written(folder, stems):
    """Those of `stems` whose pictures the run wrote: frames of a model that is missing were left out."""
    files = {output["file"] for output in load_run(folder)["outputs"]}
    return [stem for stem in stems if f"{stem}_standard.png" in files]


def grid_figure(pictures, row_labels, column_labels, blocks, panel_width=1.25):
    """A figure of `pictures`, rows of columns, with a heading over each of `blocks`: (first column, count, text)."""
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    columns = len(column_labels)
    ratios = [max(row[c].shape[0] / row[c].shape[1] for c in range(columns)) for row in pictures]
    left, top, gap = 0.95, 0.62, 0.06
    block_gap = 0.22
    starts = {first for first, _, _ in blocks}
    x, edges = left, []
    for column in range(columns):
        x += block_gap if column in starts and column else 0
        edges.append(x)
        x += panel_width + gap
    width, height = x + 0.05, top + sum(panel_width * r + gap for r in ratios) + 0.05
    figure = Figure(figsize=(width, height))
    y = height - top
    for row, (label, ratio) in enumerate(zip(row_labels, ratios)):
        tall = panel_width * ratio
        y -= tall
        figure.text((left - 0.1) / width, (y + tall / 2) / height, label, ha="right", va="center")
        for column, picture in enumerate(pictures[row]):
            # Pictures of one row share their upper edge and scale.
            own = panel_width * picture.shape[0] / picture.shape[1]
            axes = figure.add_axes([edges[column] / width, (y + tall - own) / height, panel_width / width, own / height])
            axes.imshow(picture, interpolation="lanczos")
            axes.axis("off")
            if row == 0:
                axes.set_title(column_labels[column], pad=3, fontsize=8)
        y -= gap
    for first, count, text in blocks:
        x0, x1 = edges[first], edges[first + count - 1] + panel_width
        figure.text((x0 + x1) / 2 / width, 1 - 0.16 / height, text, ha="center", va="center")
        figure.add_artist(Line2D([(x0 + 0.03) / width, (x1 - 0.03) / width], [1 - 0.30 / height] * 2, color=GREY,
                                 linewidth=0.8))
    return figure
