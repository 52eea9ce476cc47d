"""Plots what the text of [TPS14] says, on real models: out/tarini2014/claims/.

usage: claims.py OUT_DIR

Reads run.json, metrics.csv and overflow.csv of OUT_DIR/tarini2014/claims/ and writes figure.pdf and figure.png beside
them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, figure_command, load_metrics, load_table
from palette import DEFORM, GREY, RECOMPUTED, STANDARD, TRANSPORTED

EXPERIMENT = "tarini2014/claims"
REFINED_MODEL, PILL = "cesium-man", "pill"


def load_overflow(folder):
    """Model, per cent of vertices over N_max, mean share of what is dropped there: the rows of overflow.csv."""
    rows = load_table(folder / "overflow.csv", {"model": str, "percent": float, "mean_share": float})
    return [tuple(row.values()) for row in rows]


def compose(folder):
    from matplotlib.figure import Figure

    metrics = load_metrics(folder)
    overflow = load_overflow(folder)
    figure = Figure(figsize=(10.4, 4.2))
    grid = figure.add_gridspec(1, 3, left=0.12, right=0.985, bottom=0.335, top=0.93, wspace=0.56,
                               width_ratios=[1, 1, 0.9])
    models = [name for name, _, _ in overflow]
    _draw_overflow(figure.add_subplot(grid[0]), overflow)
    _draw_ratios(figure.add_subplot(grid[1]), models, metrics, folder / "metrics.csv")
    _draw_refinement(figure.add_subplot(grid[2]), metrics, folder / "metrics.csv")
    return figure


def _draw_overflow(axes, overflow):
    names, percent, share = zip(*overflow)
    places = range(len(names))
    axes.barh(places, percent, color=GREY)
    for place, (p, s) in enumerate(zip(percent, share)):
        text = f"{p:.0f} %" + (f", loses {s:.2f}" if p else "")
        axes.text(p + 0.8, place, text, va="center", fontsize="small")
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.set_xlim(0, max(max(percent), 1) * 1.75)
    axes.set_xlabel("vertices whose one-ring has more than\n4 bones, %; mean |a| lost there,\n"
                    "relative to the vertex's largest")
    axes.set_title("(a) 'very rare'? (Sec. 3.2)")


def _mean(metrics, path, **wanted):
    chosen = [row.mean_deg for row in metrics if all(getattr(row, key) == value for key, value in wanted.items())]
    if len(chosen) != 1:
        raise InputError(path, f"has {len(chosen)} rows, expected one",
                         ", ".join(f"{key} {value}" for key, value in wanted.items()))
    return chosen[0]


def _draw_ratios(axes, models, metrics, path):
    moving = [name for name in models if any(row.rig == name and row.resolution == 0 for row in metrics)]
    for truth, marker, offset, colour in (("transported", "o", -0.15, TRANSPORTED),
                                          ("recomputed", "s", 0.15, RECOMPUTED)):
        ratios = [_mean(metrics, path, rig=name, resolution=0, method="deform", truth=truth) /
                  _mean(metrics, path, rig=name, resolution=0, method="standard", truth=truth) for name in moving]
        axes.plot(ratios, [place + offset for place in range(len(moving))], marker, color=colour, label=truth)
    axes.axvline(1, color=GREY, linewidth=0.8)
    axes.set_xscale("log")
    axes.set_xticks([0.02, 0.1, 0.5, 1, 3], ["0.02", "0.1", "0.5", "1", "3"])
    axes.minorticks_off()
    axes.set_yticks(range(len(moving)), moving)
    axes.invert_yaxis()
    axes.set_xlabel("mean error, deform factors / standard")
    axes.set_title("(b) 'much closer'? (Sec. 6)")
    axes.legend(title="truth", loc="upper center", bbox_to_anchor=(0.4, -0.17), ncol=2, columnspacing=1)


def _draw_refinement(axes, metrics, path):
    levels = [0, 1, 2]
    pill = sorted({row.resolution for row in metrics if row.rig == PILL})[:len(levels)]
    model = {"rig": REFINED_MODEL, "truth": "transported"}
    lines = [(STANDARD, "-", "o", f"standard, {PILL}",
              [_mean(metrics, path, rig=PILL, resolution=r, method="standard") for r in pill]),
             (STANDARD, "--", "s", f"standard, {REFINED_MODEL}",
              [_mean(metrics, path, resolution=level, method="standard", **model) for level in levels]),
             (DEFORM, "-", "o", f"deform factors, {PILL}",
              [_mean(metrics, path, rig=PILL, resolution=r, method="deform") for r in pill]),
             (DEFORM, "--", "s", f"deform factors, {REFINED_MODEL}",
              [_mean(metrics, path, resolution=level, method="deform-all-slots", **model) for level in levels])]
    for colour, dash, marker, label, errors in lines:
        if len(errors) != len(levels):
            raise InputError(path, f"has {len(errors)} resolutions, expected {len(levels)}", label)
        axes.plot(levels, errors, marker=marker, linestyle=dash, color=colour, label=label)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_xticks(levels, ["1×", "2×", "4×"])
    axes.set_xlabel("resolution")
    axes.set_ylabel("mean error, degrees")
    axes.set_title("(c) refining (Sec. 7)")
    axes.legend(loc="upper center", bbox_to_anchor=(0.42, -0.17), handlelength=2.6)


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
