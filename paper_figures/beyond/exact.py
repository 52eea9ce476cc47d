"""What the figures of exact normals share: a tube and a cuboid, three plots, two characters below."""

import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, convergence, load_image, load_metrics, load_run, load_table, measured_order
from palette import APPROXIMATION, EXACT, GREEN, LIGHT_GREY, STANDARD

MOTIONS = [("twist_60", "twist\n60°"), ("twist_120", "120°"), ("twist_170", "170°"),
           ("bend_30", "bend\n30°"), ("bend_60", "60°"), ("bend_90", "90°")]
PAGE_WIDTH, LABEL_WIDTH, GAP = 10.5, 0.3, 0.05
COLOURS = {"standard": STANDARD, "between": APPROXIMATION, "exact": EXACT, "smoothed": GREEN, "lbs": LIGHT_GREY}


@dataclass(frozen=True)
class Study:
    """Rows and columns of one experiment. Columns are (end of the pictures' names, title); the methods of the plots
    are (name, label, key of COLOURS, line style)."""

    motions: list  # (start of the pictures' names, label)
    columns: list
    models: list  # (start of the pictures' names, name in metrics.csv, label)
    model_columns: list
    table_methods: list
    mesh_methods: list
    model_methods: list
    pictured: tuple = ("formal", "hand")  # the models that are shown, not only plotted
    model_scale: str = "linear"  # of the plot of models: log where one of them is torn
    model_note: str = ""  # below the pictures of models


def compose(folder, study):
    from matplotlib.figure import Figure

    metrics = load_metrics(folder)
    path = folder / "metrics.csv"
    table = load_table(folder / "errors.csv", {"body": str, "motion": str, "method": str, "mean_deg": float})
    models = present_models(folder, study)
    upper = [[load_image(folder, f"{stem}_{end}.png") for end, _ in study.columns] for stem, _ in study.motions]
    shown = [model for model in models if model[0] in study.pictured]
    lower = [[load_image(folder, f"{stem}_{end}.png") for end, _ in study.model_columns] for stem, _, _ in shown]

    panel = panel_width(study.columns)
    model_panel = panel_width(study.model_columns)
    title, plots = 0.45, 3.6
    upper_height = sum(panel * tallest(row) + GAP for row in upper)
    line_heights = [model_panel * tallest(row) + GAP for row in lower]
    note = 0.45 if lower and study.model_note else 0
    height = title + upper_height + plots + (title + sum(line_heights) if lower else 0) + note + 0.1
    figure = Figure(figsize=(PAGE_WIDTH, height))

    left = 0.05
    y = height - title
    for i, (row, (_, label)) in enumerate(zip(upper, study.motions)):
        draw_row(figure, row, label, study.columns if i == 0 else None, left, y, panel)
        y -= panel * tallest(row) + GAP
    y -= plots
    bottom, tall = (y + 0.75) / height, (plots - 1.25) / height
    draw_table(figure.add_axes([0.06, bottom, 0.32, tall]), table, folder / "errors.csv", study)
    draw_convergence(figure.add_axes([0.445, bottom, 0.21, tall]), metrics, path, study)
    if models:
        draw_models(figure.add_axes([0.71, bottom, 0.28, tall]), metrics, path, study, models)
        y -= title
    for number, (row, line_height) in enumerate(zip(lower, line_heights)):
        draw_row(figure, row, shown[number][2], study.model_columns if number == 0 else None, 0.05, y, model_panel)
        y -= line_height
    if note:
        figure.text((0.05 + LABEL_WIDTH) / PAGE_WIDTH, 0.5 * (y + 0.1) / height, study.model_note, va="center",
                    fontsize=8)
    return figure


def panel_width(columns):
    return min(1.7, (PAGE_WIDTH - LABEL_WIDTH - 0.1) / len(columns) - GAP)


def tallest(row):
    return max(picture.shape[0] / picture.shape[1] for picture in row)


def present_models(folder, study):
    """Those whose pictures the run wrote."""
    files = {output["file"] for output in load_run(folder)["outputs"]}
    return [model for model in study.models if f"{model[0]}_{study.model_columns[0][0]}.png" in files]


def draw_row(figure, pictures, label, columns, left, top, panel):
    """Pictures side by side from `left`, their upper edges at `top`, inches; titles above when given."""
    width, height = figure.get_size_inches()
    first = pictures[0].shape[0] / pictures[0].shape[1]
    figure.text((left + 0.5 * LABEL_WIDTH) / width, (top - 0.5 * panel * first) / height, label, rotation=90,
                ha="center", va="center", fontsize=8)
    for column, picture in enumerate(pictures):
        tall = panel * picture.shape[0] / picture.shape[1]
        axes = figure.add_axes([(left + LABEL_WIDTH + column * (panel + GAP)) / width, (top - tall) / height,
                                panel / width, tall / height])
        axes.imshow(picture, interpolation="lanczos")
        axes.axis("off")
        if columns:
            axes.set_title(columns[column][1], pad=3, fontsize=8)


def alpha(dash):
    """Bars of a second blending method, whose curves are dashed, are paler."""
    return 1 if dash == "-" else 0.55


def draw_table(axes, table, path, study):
    """Mean errors with exact gradients: the tube's motions, then the cuboid's."""
    means = {(row["body"], row["motion"], row["method"]): row["mean_deg"] for row in table}
    width = 0.8 / len(study.table_methods)
    for i, (method, label, colour, dash) in enumerate(study.table_methods):
        values = []
        for body in ("tube", "cuboid"):
            for motion, _ in MOTIONS:
                if (body, motion, method) not in means:
                    raise InputError(path, "has no such row", f"{body}, {motion}, {method}")
                values.append(means[body, motion, method])
        places = [x + (x >= len(MOTIONS)) + (i + 0.5) * width - 0.4 for x in range(len(values))]
        axes.bar(places, values, width, color=COLOURS[colour], alpha=alpha(dash), label=label)
        for x, value in zip(places, values):
            if value < 1e-9:
                axes.text(x, 0.05, "0", ha="center", va="bottom", fontsize=5, color=COLOURS[colour])
    axes.set_xticks([x + (x >= len(MOTIONS)) for x in range(2 * len(MOTIONS))],
                    [label for _, label in MOTIONS] * 2, fontsize=6)
    axes.set_ylim(0, 1.35 * max(means.values()))
    axes.set_xlabel("tube" + 38 * " " + "cuboid")
    axes.set_ylabel("mean error, degrees")
    axes.set_title("exact weight gradients", pad=4)
    axes.legend(loc="upper right", fontsize=6.5, ncol=2)


def draw_convergence(axes, metrics, path, study):
    rows = [row for row in metrics if row.pose == "bend_60"]
    for method, label, colour, dash in study.mesh_methods:
        segments, rms = convergence(rows, path, truth="analytic", weighting="deformed area", family="cylinder",
                                    method=method)
        axes.plot(segments, rms, marker="o", markersize=3.5, linestyle=dash, color=COLOURS[colour],
                  label=f"{label}: {round(measured_order(segments, rms), 2) + 0:.2f}")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_ylim(bottom=axes.get_ylim()[0] / 40)  # room for the legend
    axes.set_xticks(segments, [str(s) for s in segments])
    axes.set_xlabel("segments around the tube")
    axes.set_ylabel("RMS error, degrees")
    axes.set_title("bend 60°, mesh gradients", pad=4)
    axes.yaxis.set_major_formatter("{x:g}")
    axes.legend(loc="lower left", fontsize=6.5, handlelength=3)


def draw_models(axes, metrics, path, study, models):
    """Mean errors over the clips of each model against the transported truth."""
    width = 0.8 / len(study.model_methods)
    for i, (method, label, colour, dash) in enumerate(study.model_methods):
        for x, (_, model, _) in enumerate(models):
            means = [row.mean_deg for row in metrics
                     if (row.rig, row.method, row.truth) == (model, method, "transported")]
            if not means:
                raise InputError(path, "has no such row", f"{model}, {method}, transported")
            mean, place = sum(means) / len(means), x + (i + 0.5) * width - 0.4
            axes.bar(place, mean, width, color=COLOURS[colour], alpha=alpha(dash),
                     label=label if x == 0 else None)
    axes.set_xticks(range(len(models)), [label for *_, label in models], fontsize=7)
    axes.set_yscale(study.model_scale)
    if study.model_scale == "log":
        axes.set_ylim(top=10 * axes.get_ylim()[1])
        axes.yaxis.set_major_formatter("{x:g}")
    else:
        axes.set_ylim(0, 1.35 * axes.get_ylim()[1])
    axes.set_ylabel("mean error, degrees")
    axes.set_title("models, all clips, transported truth", pad=4)
    axes.legend(loc="upper left", fontsize=6.5, ncol=2)
