"""Tables and a page from the results of a survey.

usage: gather.py LISTING.json

Writes beside LISTING.json, each table also as an array of tables.json (`schema` 2 goes up when a column changes its meaning):

  models.csv    a row per model and method: its size, its one-rings, mean degrees by kind of normals, which kind is best, which
                is the cheapest that pays and which was predicted to (linear blending), and the file with all its numbers
                (`result`)
  modes.csv     per method and kind of normals: distribution over models of its mean error and of its share of the standard
                error, on how many models it is best, what it costs
  groups.csv    per method and number of positions: the distribution of the standard error, which kind is best how often
  rings.csv     per method, property of the one-rings, bin and kind of normals: the distribution over models of the mean error
  predicted.csv per predicted kind and cheapest that pays (takes away four fifths of what the best does): models, and how much more error the predicted
                one leaves than the best
  findings.csv  how often each finding of `skinlight check` occurs

and index.html with its pictures. A distribution has the column `largest_in`, the result with its largest value. Reads one result
at a time. The same results give the same bytes.
"""

import csv
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import jinja2

TRUTH = "transported"
SCHEMA = 2
# Positions: the limits of the groups.
SIZES = (300, 1000, 3000, 10000, 30000)
# A bin counts where a model has this share of its area in it.
PRESENT = .002
# Models that are drawn, and the pixels of a picture's width on the page.
DRAWN, PICTURE_SECONDS = 3, 300


def best_of(means):
    """The kind with the smallest error; of equal ones the first by name."""
    return min(means, key=lambda way: (means[way], way))


def errors_of(compared):
    """Of one model and method: mean degrees by kind of normals over its clips, and what else a row of models.csv has."""
    means, worst = {}, (-1.0, "")
    for clip in compared["clips"]:
        for error in clip["errors"]:
            if error["truth"] != TRUTH:
                continue
            means.setdefault(error["way"], []).append(error["mean_deg"])
            if error["way"] == "standard":
                worst = max(worst, (error["max_deg"], clip["clip"]))
    if not means:
        return {}
    means = {way: statistics.fmean(values) for way, values in means.items()}
    best, standard = best_of(means), means.get("standard")
    row = {"clips": len(compared["clips"]), "best": best, "best_over_standard": means[best] / standard if standard else None,
           "standard_max_deg": worst[0] if worst[1] else None, "worst_clip": worst[1]}
    rest = compared.get("rest", {})
    row.update({"pays": compared.get("verdict", {}).get("pays"), "predicted": rest.get("predicted"),
                "blended": rest.get("blended")})
    for name in ("edge-length", "weight-change", "dihedral"):
        for part in ("q1", "median", "q3"):
            row[f"{name}_{part}"] = rest.get(name, {}).get(part)
    return {**row, **{f"{way}_deg": value for way, value in means.items()}}


def rows_of(listing, folder):
    """Per entry of the listing: (rows of models.csv, the result behind them or None)."""
    for entry in listing["rows"]:
        base = {"model": entry["model"], "sha256": entry["sha256"] or "", "same_as": "", "status": "", "reason": ""}
        if entry["job"] is None:
            yield [{**base, "status": "unreadable", "reason": "cannot be opened"}], None
            continue
        if entry["same_as"]:
            yield [{**base, "status": "duplicate", "same_as": entry["same_as"], "reason": "the same content"}], None
            continue
        name = f"models/{entry['job']}.json"
        try:
            result = json.loads((folder / name).read_text(encoding="utf-8"))
        except FileNotFoundError:
            yield [{**base, "status": "lost", "reason": "its job did not end"}], None
            continue
        base.update(status=result["status"], reason=result["reason"], result=name)
        base["healthy"] = (result["check"] or {}).get("healthy")
        rig = (result["check"] or {}).get("rig", {})
        base.update({key: rig.get(key) for key in ("vertices", "positions", "triangles", "bones", "influences")})
        rows = [{**base, "method": method, **errors_of(compared)} for method, compared in sorted(result["compare"].items())]
        yield rows or [base], result


class Distribution:
    """Values with the file that each comes from."""

    def __init__(self):
        self.values = []

    def add(self, value, source):
        if value is not None:
            self.values.append((value, source))

    def columns(self, prefix=""):
        """count, quartiles, largest and its file; all but the count empty where there is nothing."""
        values = sorted(value for value, _ in self.values)
        names = ("q1", "median", "q3", "max", "largest_in")
        if not values:
            return {f"{prefix}models": 0, **{prefix + name: None for name in names}}
        q = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
        largest = max(self.values, key=lambda item: (item[0], item[1]))
        return {f"{prefix}models": len(values), **dict(zip((prefix + name for name in names), (*q, *largest)))}


class Tables:
    """What is kept of the results: numbers and names of files, no results."""

    def __init__(self):
        self.models, self.findings, self.costs = [], {}, {}
        self.modes, self.shares, self.wins = {}, {}, {}
        self.groups, self.rings, self.predicted = {}, {}, {}

    def add(self, rows, result):
        self.models += rows
        if result is None:
            return
        for found in (result["check"] or {}).get("findings", []):
            key = (found["kind"], found["severity"])
            self.findings[key] = self.findings.get(key, 0) + 1
        for row in rows:
            if row.get("best"):
                self._add_measured(row, result["compare"][row["method"]])

    def _add_measured(self, row, compared):
        method, source, best = row["method"], row["result"], row["best"]
        means = {key[:-4]: value for key, value in row.items() if key.endswith("_deg") and key != "standard_max_deg"}
        standard = means.get("standard")
        for way, mean in means.items():
            self.modes.setdefault((method, way), Distribution()).add(mean, source)
            if way != "standard" and standard:
                self.shares.setdefault((method, way), Distribution()).add(mean / standard, source)
        self.wins[method, best] = self.wins.get((method, best), 0) + 1
        for cost in compared.get("costs", []):
            self.costs[method, cost["way"]] = (cost["operations"], cost["record_bytes_f16"])
        if row["positions"] is not None and standard is not None:
            group = next((i for i, limit in enumerate(SIZES) if row["positions"] < limit), len(SIZES))
            errors, wins = self.groups.setdefault((method, group), (Distribution(), {}))
            errors.add(standard, source)
            wins[best] = wins.get(best, 0) + 1
        if row["predicted"] in means and row["pays"]:
            of = self.predicted.setdefault((row["predicted"], row["pays"]), Distribution())
            of.add(means[row["predicted"]] - means[best], source)
        for prop in compared.get("rings", []):
            for i, found in enumerate(prop["bins"]):
                if found["share"] < PRESENT:
                    continue
                for way, mean in found["mean_deg"].items():
                    key = (method, prop["by"], i, found["from"], found["to"], way)
                    self.rings.setdefault(key, Distribution()).add(mean, source)

    def all(self):
        """Name -> rows, each with the same columns in the same order."""
        modes = []
        for (method, way), errors in sorted(self.modes.items()):
            operations, size = self.costs.get((method, way), (None, None))
            share = self.shares.get((method, way), Distribution()).columns("over_standard_")
            modes.append({"method": method, "way": way, **errors.columns(), **share, "best_on": self.wins.get((method, way), 0),
                          "operations": operations, "record_bytes_f16": size})
        limits = (0, *SIZES, None)
        groups = [{"method": method, "positions_from": limits[group], "positions_to": limits[group + 1], **errors.columns(),
                   "best": " ".join(f"{way}:{count}" for way, count in sorted(wins.items(), key=lambda w: (-w[1], w[0])))}
                  for (method, group), (errors, wins) in sorted(self.groups.items())]
        rings = [{"method": method, "by": by, "from": low, "to": high, "way": way, **errors.columns()}
                 for (method, by, _, low, high, way), errors in
                 sorted(self.rings.items(), key=lambda item: (*item[0][:3], item[0][5]))]
        predicted = [{"predicted": guess, "pays": pays, "hit": guess == pays, **more.columns("more_deg_")}
                     for (guess, pays), more in sorted(self.predicted.items())]
        findings = [{"kind": kind, "severity": severity, "models": count} for (kind, severity), count in
                    sorted(self.findings.items(), key=lambda item: (-item[1], item[0]))]
        return {"models": self.models, "modes": modes, "groups": groups, "rings": rings, "predicted": predicted,
                "findings": findings}


def written(value):
    if isinstance(value, float):
        return f"{value:.6g}"
    return "" if value is None else value


def csv_of(rows):
    """CSV text with every column that any row has, in the order of first appearance."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(dict.fromkeys(key for row in rows for key in row)), restval="", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({key: written(value) for key, value in row.items()})
    return text.getvalue()


def write(path, text):
    part = path.with_suffix(path.suffix + ".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)


def label(low, high):
    return f"≥ {low:g}" if high is None else f"< {high:g}" if not low else f"{low:g} – {high:g}"


COLOURS = {"standard": "#d55e00", "deform": "#0072b2", "exact": "#cc79a7", "smoothed": "#009e73", "deform-vectors": "#e69f00"}
OTHERS = ("#56b4e9", "#444444", "#8c6d31")


def plots(tables, folder):
    """Pictures of the page: [(file, what it shows)]. survey.png: errors and what the best kind leaves; rings.png: errors by
    what the one-rings look like."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    measured = [row for row in tables["models"] if row.get("standard_deg")]
    if not measured:
        return []
    method = measured[0]["method"]
    of = [row for row in measured if row["method"] == method]
    ways = [row["way"] for row in tables["modes"] if row["method"] == method]
    spare = iter(OTHERS * len(ways))
    colours = {way: COLOURS.get(way) or next(spare) for way in ways}
    figure, axes = pyplot.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    for way in ways:
        values = sorted(row[f"{way}_deg"] for row in of if row.get(f"{way}_deg") is not None)
        axes[0].step(values, [(i + 1) / len(values) for i in range(len(values))], where="post", label=way, color=colours[way])
    axes[0].set(xscale="symlog", xlabel="mean error, degrees", ylabel="share of the models", title=f"How wrong normals are, {method}")
    axes[0].set_xscale("symlog", linthresh=.1)
    axes[0].legend()
    for way in ways:
        won = [row for row in of if row["best"] == way and row["weight-change_median"] is not None]
        axes[1].scatter([row["weight-change_median"] for row in won], [row["best_over_standard"] for row in won], s=14,
                        label=way, color=colours[way])
    axes[1].set(xlabel="change of weight along an edge, median of the model", ylim=(-.03, 1.05),
                ylabel="its error over standard", title="The best kind of normals")
    axes[1].legend()
    figure.savefig(folder / "survey.png", dpi=110, metadata={"Software": None})
    pyplot.close(figure)
    drawn = [("survey.png", "Distribution of the mean error by kind of normals; what the best kind leaves, by change of weight")]
    properties = list(dict.fromkeys(row["by"] for row in tables["rings"] if row["method"] == method))
    if properties:
        figure, axes = pyplot.subplots(1, len(properties), figsize=(3.6 * len(properties), 4), layout="constrained",
                                       squeeze=False)
        for axis, by in zip(axes[0], properties):
            bins = list(dict.fromkeys((row["from"], row["to"]) for row in tables["rings"]
                                      if row["method"] == method and row["by"] == by))
            for way in ways:
                rows = {(row["from"], row["to"]): row for row in tables["rings"]
                        if row["method"] == method and row["by"] == by and row["way"] == way}
                places = [i for i, b in enumerate(bins) if b in rows]
                axis.plot(places, [rows[bins[i]]["median"] for i in places], marker="o", ms=3, color=colours[way], label=way)
                axis.fill_between(places, [rows[bins[i]]["q1"] for i in places], [rows[bins[i]]["q3"] for i in places],
                                  color=colours[way], alpha=.12, lw=0)
            axis.set_xticks(range(len(bins)), [label(*b) for b in bins], rotation=60, ha="right", fontsize=7)
            axis.set_title(by)
            axis.set_yscale("symlog", linthresh=1)
            axis.set_ylim(0, 60)  # the same for all: properties are compared
        axes[0][0].set_ylabel("degrees: median and quartiles")
        axes[0][0].legend(fontsize=7, loc="upper right")
        figure.savefig(folder / "rings.png", dpi=110, metadata={"Software": None})
        pyplot.close(figure)
        drawn.append(("rings.png", "Errors by length of edges, change of weight, angle between faces and non-rigidity"))
    return drawn


def draw_worst(worst, options, folder):
    """result -> its picture, of models that the program can draw: the worst clip with standard normals and the best ones."""
    pictures = {}
    (folder / "worst").mkdir(exist_ok=True)
    for row in worst[:options.get("pictures", DRAWN)]:
        name = f"worst/{Path(row['result']).stem}-{row['method']}.png"
        if not (folder / name).is_file():
            with tempfile.TemporaryDirectory() as scratch:
                command = [options["program"], "compare", row["model"], "--method", row["method"], "--clip", row["worst_clip"],
                           "--normals", ",".join(dict.fromkeys(("standard", row["best"]))), "--frames", str(options["frames"]),
                           "--renderer", "llvmpipe", "--render", scratch]
                try:
                    subprocess.run(command, capture_output=True, timeout=PICTURE_SECONDS, check=True)
                    join(sorted(Path(scratch).rglob("*.png")), folder / name)
                except (OSError, ValueError, subprocess.SubprocessError):
                    continue  # no renderer here: the page does without
        pictures[row["result"], row["method"]] = name
    return pictures


def join(parts, path):
    """Pictures side by side."""
    from PIL import Image

    if not parts:
        raise ValueError("nothing was drawn")
    images = [Image.open(part).convert("RGB") for part in parts]
    height = min(image.height for image in images)
    images = [image.resize((round(image.width * height / image.height), height)) for image in images]
    whole = Image.new("RGB", (sum(image.width for image in images), height))
    x = 0
    for image in images:
        whole.paste(image, (x, 0))
        x += image.width
    part = path.with_suffix(".part")
    whole.save(part, "PNG")
    os.replace(part, path)


def page_of(tables, options, folder):
    models = tables["models"]
    status = {name: len({row["model"] for row in models if row["status"] == name})
              for name in sorted({row["status"] for row in models})}
    # Of rigs that are broken it is not the normals that are wrong first.
    worst = sorted((row for row in models if row.get("standard_deg") is not None and row["healthy"]),
                   key=lambda row: (-row["standard_deg"], row["model"]))[:20]
    hits = sum(row["more_deg_models"] for row in tables["predicted"] if row["hit"])
    guesses = sum(row["more_deg_models"] for row in tables["predicted"])
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True,
                                     trim_blocks=True, undefined=jinja2.StrictUndefined)
    environment.filters["degrees"] = lambda v: "–" if v is None else f"{v:.2g}°" if v < 10 else f"{v:.0f}°"
    environment.filters["percent"] = lambda v: "–" if v is None else f"{100 * v:.0f} %"
    environment.filters["short"] = lambda v: Path(v).name
    environment.globals["label"] = label
    return environment.get_template("survey.html").render(
        count=len({row["model"] for row in models}), status=status, tables=tables, worst=worst, hits=hits, guesses=guesses,
        plots=plots(tables, folder), pictures=draw_worst(worst, options, folder), options=options,
        left=[row for row in models if row["status"] != "measured"])


def gather(listing_path):
    folder = listing_path.parent
    listing = json.loads(listing_path.read_text(encoding="utf-8"))
    kept = Tables()
    for rows, result in rows_of(listing, folder):
        kept.add(rows, result)
    tables = kept.all()
    page = page_of(tables, listing["options"], folder)
    for name, rows in tables.items():
        write(folder / f"{name}.csv", csv_of(rows))
    write(folder / "tables.json", json.dumps({"schema": SCHEMA, "truth": TRUTH, **tables}, indent=1) + "\n")
    write(folder / "index.html", page)


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        gather(Path(arguments[0]))
    except OSError as error:
        print(f"survey: {error.filename or arguments[0]}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
