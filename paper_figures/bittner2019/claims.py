"""Draws what the text of [BTGM19 Sec. 5.1] says from out/bittner2019/claims/: beyond 180 degrees, volumes, sharper weights.

usage: claims.py OUT_DIR

Reads run.json, beyond.csv, volumes.csv and sharper.csv of OUT_DIR/bittner2019/claims/ and writes figure.pdf and figure.png
beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from common import InputError, figure_command, load_table
from palette import GREY
from panels import METHODS, curves, plot_axes

EXPERIMENT = "bittner2019/claims"
POSES = (("twist", "twist"), ("bend", "bend"), ("wring", "wring"), ("zigzag", "zigzag"))
PAPER = ("lbs", "dqs", "crs")


def _bars(axes, groups, values):
    """Five bars, one per method, in each of the named groups; values[group][method]."""
    for i, (method, label, colour, _) in enumerate(METHODS):
        axes.bar([g + 0.16 * (i - 2) for g in range(len(groups))], [values[group][method] for group in groups], 0.15,
                 color=colour, label=label)
    axes.set_xticks(range(len(groups)))


def _beyond(axes, path):
    rows = {row["method"]: row for row in load_table(path, {"method": str, "one_joint_deg": float, "split_deg": float})}
    for method, *_ in METHODS:
        if method not in rows:
            raise InputError(path, "has no row", f"method {method}")
    groups = ("one_joint_deg", "split_deg")
    _bars(axes, groups, {group: {method: row[group] for method, row in rows.items()} for group in groups})
    axes.set_xticklabels(["one joint of 270°", "two of 135°"])
    axes.set_yticks(range(-90, 271, 90))
    axes.set_ylabel("winding, degrees")
    axes.set_title("(a) beyond 180°", pad=4)
    axes.legend(loc="upper left", handlelength=1.2)


def _volumes(axes, path):
    table = {(row["bones"], row["pose"], row["method"]): row["volume"]
             for row in load_table(path, {"bones": str, "pose": str, "method": str, "volume": float})}
    for bones, fill in (("two", False), ("more", True)):
        for i, (method, _, colour, _) in enumerate(METHODS[:3]):
            x = [g + 0.24 * (i - 1) for g in range(len(POSES))]
            try:
                y = [table[bones, pose, method] for pose, _ in POSES]
            except KeyError as missing:
                raise InputError(path, "has no row", ", ".join(missing.args[0])) from None
            axes.plot(x, y, linestyle="none", marker="o", color=colour, markerfacecolor=colour if fill else "white")
    axes.axhline(1, color=GREY, linewidth=0.8)
    for fill, label in (("white", "two bones at most"), (GREY, "up to four")):
        axes.plot([], [], linestyle="none", marker="o", color=GREY, markerfacecolor=fill, label=label)
    axes.set_xticks(range(len(POSES)), [label for _, label in POSES])
    axes.set_ylabel("volume over that at rest")
    axes.set_title("(b) LBS, DQS, CRS by bones per vertex", pad=4)
    axes.legend(loc="lower left", handlelength=1)


def _sharper(axes, path):
    rows = load_table(path, {"method": str, "half_blend": float, "bulge": float})
    for label, colour, dash, x, y in curves(rows, path, "half_blend", "bulge", PAPER):
        axes.plot(x, y, color=colour, linestyle=dash, marker="o", markersize=3, label=label)
    axes.set_xlabel("half width of the blend")
    axes.set_ylabel("bulge, bend of 120°")
    axes.set_title("(c) sharper weights", pad=4)
    axes.legend(loc="upper left")


def compose(folder):
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.2, 2.9))
    _beyond(plot_axes(figure, 0.65, 0.5, 2.6, 2.05), folder / "beyond.csv")
    _volumes(plot_axes(figure, 3.95, 0.5, 2.9, 2.05), folder / "volumes.csv")
    _sharper(plot_axes(figure, 7.6, 0.5, 2.45, 2.05), folder / "sharper.csv")
    return figure


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
