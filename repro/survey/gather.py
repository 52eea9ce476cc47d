"""Tables and a page from the results of a survey.

usage: gather.py LISTING.json

Writes beside LISTING.json: models.csv (a row per model and method), findings.csv (how often each finding of check occurs),
summary.json (all numbers of the page), and index.html with its pictures. Reads one result at a time. The same results give
the same bytes.
"""

import csv
import io
import json
import os
import statistics
import sys
from pathlib import Path

import jinja2

TRUTH = "transported"
SCHEMA = 1


def rows_of(listing, folder):
    """Per model and method a row of models.csv; per model its findings. Yields (row, findings or None)."""
    for entry in listing["rows"]:
        base = {"model": entry["model"], "sha256": entry["sha256"] or "", "same_as": "", "status": "", "reason": ""}
        if entry["job"] is None:
            yield {**base, "status": "unreadable", "reason": "cannot be opened"}, None
            continue
        if entry["same_as"]:
            yield {**base, "status": "duplicate", "same_as": entry["same_as"], "reason": "the same content"}, None
            continue
        result = json.loads((folder / "models" / f"{entry['job']}.json").read_text(encoding="utf-8"))
        base.update(status=result["status"], reason=result["reason"])
        check = result["check"] or {}
        base.update({name: check.get("rig", {}).get(name) for name in ("vertices", "positions", "triangles", "bones",
                                                                        "influences")})
        findings = {f["kind"]: f["severity"] for f in check.get("findings", [])}
        if not result["compare"]:
            yield base, findings
        for i, (method, compared) in enumerate(sorted(result["compare"].items())):
            yield {**base, "method": method, **errors_of(compared)}, findings if i == 0 else None


def errors_of(compared):
    """Mean degrees by kind of normals, over the clips of one model, and which kind wins."""
    means = {}
    for clip in compared["clips"]:
        for error in clip["errors"]:
            if error["truth"] == TRUTH:
                means.setdefault(error["way"], []).append(error["mean_deg"])
    means = {way: statistics.fmean(values) for way, values in means.items()}
    if not means:
        return {}
    best = min(means, key=lambda way: (means[way], way))
    standard = means.get("standard")
    gain = means[best] / standard if standard else None
    worst = max((error["max_deg"] for clip in compared["clips"] for error in clip["errors"]
                 if error["truth"] == TRUTH and error["way"] == "standard"), default=None)
    return {"clips": len(compared["clips"]), "best": best, "best_over_standard": gain, "standard_max_deg": worst,
            **{f"{way}_deg": value for way, value in means.items()}}


def quartiles(values):
    """(count, lower quartile, median, upper quartile, largest); None where there is nothing."""
    values = sorted(values)
    if not values:
        return None
    if len(values) == 1:
        return {"count": 1, "q1": values[0], "median": values[0], "q3": values[0], "max": values[0]}
    q1, median, q3 = statistics.quantiles(values, n=4, method="inclusive")
    return {"count": len(values), "q1": q1, "median": median, "q3": q3, "max": values[-1]}


def summarise(rows, findings):
    measured = [row for row in rows if row.get("best")]
    methods = sorted({row["method"] for row in measured})
    summary = {"schema": SCHEMA, "truth": TRUTH, "models": len({row["model"] for row in rows}),
               "status": {status: len({row["model"] for row in rows if row["status"] == status})
                          for status in sorted({row["status"] for row in rows})},
               "methods": {}, "findings": [{"kind": kind, "severity": severity, "models": count}
                                           for (kind, severity), count in sorted(findings.items(),
                                                                                 key=lambda item: (-item[1], item[0]))]}
    for method in methods:
        of_method = [row for row in measured if row["method"] == method]
        ways = sorted({key[:-4] for row in of_method for key in row if key.endswith("_deg") and key != "standard_max_deg"})
        summary["methods"][method] = {
            "ways": {way: quartiles([row[f"{way}_deg"] for row in of_method if f"{way}_deg" in row]) for way in ways},
            "over_standard": {way: quartiles([row[f"{way}_deg"] / row["standard_deg"] for row in of_method
                                              if row.get("standard_deg") and f"{way}_deg" in row])
                              for way in ways if way != "standard"},
            "wins": {way: sum(row["best"] == way for row in of_method) for way in ways}}
    return summary


def table(rows):
    """CSV text with every column that any row has, in the order of first appearance."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({key: "" if value is None else f"{value:.6g}" if isinstance(value, float) else value
                         for key, value in row.items()})
    return text.getvalue()


def plots(rows, folder):
    """distribution.png: standard errors of all models; gain.png: the best over the standard by vertices."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    drawn = []
    measured = [row for row in rows if row.get("standard_deg")]
    if not measured:
        return drawn
    figure, axes = pyplot.subplots(1, 2, figsize=(11, 4), layout="constrained")
    axes[0].hist([row["standard_deg"] for row in measured], bins=min(30, 5 + len(measured) // 4), color="#d55e00")
    axes[0].set(xlabel="mean error of standard normals, degrees", ylabel="models", title="How wrong standard normals are")
    axes[1].scatter([row["positions"] for row in measured], [row["best_over_standard"] for row in measured], s=14,
                    color="#0072b2")
    axes[1].set(xscale="log", xlabel="positions", ylabel="error of the best kind over standard", ylim=(0, 1.05),
                title="What the best kind of normals leaves")
    figure.savefig(folder / "survey.png", dpi=110, metadata={"Software": None})
    pyplot.close(figure)
    return ["survey.png"]


def write(path, text):
    part = path.with_suffix(path.suffix + ".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)


def gather(listing_path):
    folder = listing_path.parent
    listing = json.loads(listing_path.read_text(encoding="utf-8"))
    rows, findings = [], {}
    for row, found in rows_of(listing, folder):
        rows.append(row)
        for item in (found or {}).items():
            findings[item] = findings.get(item, 0) + 1
    summary = summarise(rows, findings)
    write(folder / "models.csv", table(rows))
    write(folder / "findings.csv", table(summary["findings"]) if summary["findings"] else "kind,severity,models\n")
    write(folder / "summary.json", json.dumps(summary, indent=1, sort_keys=True) + "\n")
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True,
                                     trim_blocks=True, undefined=jinja2.StrictUndefined)
    environment.filters["degrees"] = lambda value: f"{value:.2g}°" if value < 10 else f"{value:.0f}°"
    environment.filters["percent"] = lambda value: f"{100 * value:.0f} %"
    worst = sorted((row for row in rows if row.get("standard_deg")), key=lambda row: (-row["standard_deg"], row["model"]))
    left = [row for row in rows if row["status"] != "measured"]
    page = environment.get_template("survey.html").render(summary=summary, pictures=plots(rows, folder), worst=worst[:20],
                                                          left=left, options=listing["options"])
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
