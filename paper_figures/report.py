"""Collects every experiment of a reproduction into one self-contained page, OUT_DIR/index.html.

usage: report.py OUT_DIR

Reads each OUT_DIR/<id>/run.json with its pictures, writes the page, prints the table of claims and, as the last line,
the path of the page. Exit code 0: no claim failed; 1: a claim failed; 2: unusable input.
"""

import base64
import functools
import os
import struct
import sys
from html import escape
from pathlib import Path
from urllib.parse import quote

import guidance
from common import InputError, VERDICTS, load_run, read_json, run_command, write_file

KIND_WORDS = {"printed": "printed number", "statement": "statement of the paper", "own": "own result"}
BOUND_SIGNS = {"within": "", "at_most": "≤ ", "at_least": "≥ "}
PAPERS = Path(__file__).resolve().parents[1] / "repro" / "papers.json"


def report(out_dir):
    runs = load_runs(out_dir)
    page = out_dir / "index.html"
    write_file(page, render_page(runs, out_dir).encode("utf-8"))
    print(claims_table(runs))
    print()
    print(_shown_path(page))
    return 1 if count_verdicts(runs)["failed"] else 0


def load_runs(out_dir):
    """All run.json below `out_dir`, in the project's order. The id must be the folder's place below `out_dir`."""
    runs = []
    for path in sorted(out_dir.rglob("run.json")):
        run = load_run(path.parent)
        place = path.parent.relative_to(out_dir).as_posix()
        if run["id"] != place:
            raise InputError(path, f"is '{run['id']}', but the folder says '{place}'", "id")
        runs.append(run)
    if not runs:
        raise InputError(out_dir, "holds no run.json: run 'skinlight reproduce' first")
    return sorted(runs, key=lambda run: (run.get("order", 0), run["id"]))


def by_source(runs):
    """[(source, its runs)], in the order of the first run of each."""
    groups = {}
    for run in runs:
        groups.setdefault(run["id"].partition("/")[0], []).append(run)
    return list(groups.items())


def was_run(run):
    return "not_run" not in run


def all_claims(runs):
    return [(run, claim) for run in runs if was_run(run) for claim in run["claims"]]


def count_verdicts(runs):
    counts = dict.fromkeys(VERDICTS, 0)
    for _, claim in all_claims(runs):
        counts[claim["verdict"]] += 1
    return counts


# ---------------------------------------------------------------------------------------------------------------
# Numbers as words


def number(value):
    """Four significant digits, '1.2e-9' for the tiny, a dash for a value that does not exist."""
    if value is None:
        return "–"
    text = f"{value:.4g}"
    mantissa, e, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent)}" if e else text


def expected(claim):
    if claim["expected"] is None:
        return "–"
    return BOUND_SIGNS[claim["bound"]] + number(claim["expected"])


def tolerance(claim):
    if not claim["tolerance"]:
        return "–"
    return ("± " if claim["bound"] == "within" else "") + number(claim["tolerance"])


def measured(claim):
    return "not a number" if claim["value"] is None else number(claim["value"])


# ---------------------------------------------------------------------------------------------------------------
# Terminal


def claims_table(runs):
    """The claims as aligned text, one line each, and a line of totals."""
    rows = [("experiment", "claim", "kind", "paper", "expected", "tolerance", "ours", "verdict")]
    for run, claim in all_claims(runs):
        rows.append((run["id"], claim["name"], claim["kind"], number(claim["paper_value"]), expected(claim),
                     tolerance(claim), measured(claim), claim["verdict"]))
    rows += [(run["id"], "", "", "", "", "", "", "not run") for run in runs if not was_run(run)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    right = {3, 4, 5, 6}
    rows.insert(1, tuple("-" * width for width in widths))
    lines = ["  ".join(cell.rjust(width) if i in right else cell.ljust(width)
                       for i, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows]
    return "\n".join(lines + ["", totals(runs)])


def totals(runs):
    counts = count_verdicts(runs)
    words = [f"{counts[verdict]} {verdict}" for verdict in VERDICTS]
    not_run = sum(not was_run(run) for run in runs)
    if not_run:
        words.append(f"{not_run} not run")
    return ", ".join(words)


def _shown_path(path):
    """Relative where the reader stands above it, absolute elsewhere."""
    absolute, here = path.resolve(), Path.cwd()
    return os.path.relpath(absolute, here) if absolute.is_relative_to(here) else str(absolute)


# ---------------------------------------------------------------------------------------------------------------
# Page


def render_page(runs, out_dir):
    css = (Path(__file__).parent / "report.css").read_text(encoding="utf-8")
    sections = "\n".join(source_section(source, group, out_dir) for source, group in by_source(runs))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>skinlight: reproduction report</title>
<style>
{css}</style>
</head>
<body>
<header>
<h1>skinlight: reproduction report</h1>
<p>Lighting of skinned meshes: what the papers claim, regenerated by scripts and compared by number.</p>
{verdict_counts(runs)}
{contents(runs)}
</header>
<main>
{guidance_section(runs, out_dir)}{sections}
<h2 id="overview">All claims</h2>
{overview_table(runs)}
{attribution_section(runs)}</main>
<footer>Written by paper_figures/report.py from the run.json of each experiment. The page needs no network.</footer>
</body>
</html>
"""


def verdict_counts(runs):
    counts = count_verdicts(runs)
    cells = [f'<li class="{verdict}"><b>{counts[verdict]}</b> {verdict}</li>' for verdict in VERDICTS]
    not_run = sum(not was_run(run) for run in runs)
    if not_run:
        cells.append(f'<li class="not-run"><b>{not_run}</b> not run</li>')
    return f'<ul class="counts" aria-label="Verdicts">{"".join(cells)}</ul>'


def contents(runs):
    """Links to the advice, the experiments under their sources, and the table of all claims."""
    groups = []
    for source, group in by_source(runs):
        links = "".join(f'<li><a href="#{anchor(run)}">{escape(run["title"])}</a> '
                        f'<span class="soft">{escape(run["paper"])}</span></li>' for run in group)
        groups.append(f'<h3><a href="#{source_anchor(source)}">{escape(source_name(source))}</a></h3>'
                      f"<ol>{links}</ol>")
    return (f'<nav aria-label="Contents"><p><a href="#which-normals">Which normals to use when</a><br>'
            f'<a href="#overview">All claims in one table</a></p>{"".join(groups)}</nav>')


@functools.lru_cache
def papers():
    """The headings of the experiments of each paper, by the first part of their ids."""
    return {paper["id"]: ": ".join(filter(None, (paper["cited"], paper["title"])))
            for paper in read_json(PAPERS)["papers"]}


def source_name(source):
    """Ids that belong to no paper go by their first part itself."""
    return papers().get(source, source)


def source_anchor(source):
    return escape(f"source-{source}")


def source_section(source, runs, out_dir):
    sections = "\n".join(experiment_section(run, out_dir / run["id"]) for run in runs)
    return f'<h2 class="source" id="{source_anchor(source)}">{escape(source_name(source))}</h2>\n{sections}'


def guidance_section(runs, out_dir):
    """The advice, or which experiments it takes when none of them was run."""
    head = '<section id="which-normals">\n<h2>Which normals to use when</h2>\n'
    titles = {run["id"]: run["title"] for run in runs if was_run(run)}
    rows = guidance.advice(out_dir, titles)
    absent = [source for source in guidance.SOURCES if source not in titles]
    note = "".join(f"<code>{escape(source)}</code>, " for source in absent)[:-2]
    if not rows:
        return (f'{head}<p class="not-run-reason">No numbers: the advice needs {note}, none of them run.</p>\n'
                "</section>\n")

    cells = [[f'<b>{escape(row.mesh)}</b><br><span class="soft">{escape(row.measured)} '
              f'(<a href="#{escape(row.source.replace("/", "-"))}">{escape(row.source)}</a>)</span>',
              f"<b>{escape(row.use)}</b>", guidance.degrees(row.standard), guidance.degrees(row.paper),
              f"<b>{guidance.degrees(row.advised)}</b>", operations(row), escape(row.bytes or "–")] for row in rows]
    columns = [("Mesh", "wide mesh"), ("Use", "use"), ("Standard", "number"), ("Paper", "number"),
               ("Advised", "number"), ("Operations", "number"), ("Bytes", "size")]
    left = f'<p class="soft">Not run, so numbers are missing: {note}.</p>\n' if absent else ""
    return f"""{head}<p>Mean error in degrees before and after, with {guidance.INFLUENCES} bones per vertex. Standard:
normals turned by the blended matrix. Paper: deform factors, and for dual quaternions the approximation with them.
Operations per vertex are those of position and normal together, with standard normals → with the advised ones. Bytes
per vertex, in floats where nothing else is said, come on top of bones and weights. A dash: not measured or not
counted.</p>
{html_table(columns, cells)}
{left}</section>
"""


def operations(row):
    """With standard normals and with those advised."""
    if row.operations is None:
        return "–"
    return f"{row.before} → {row.operations}"


def html_table(columns, rows):
    """`columns`: (heading, class of its cells); `rows`: lists of HTML. Cells repeat their heading for the phone."""
    head = "".join(f'<th scope="col" class="{kind}">{escape(label)}</th>' for label, kind in columns)
    body = "\n".join(
        "<tr>" + "".join(f'<td class="{kind}" data-label="{escape(label)}">{cell}</td>'
                         for (label, kind), cell in zip(columns, row)) + "</tr>" for row in rows)
    return f'<table class="cards"><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>'


def verdict_word(verdict):
    return f'<span class="verdict {verdict.replace(" ", "-")}">{verdict}</span>'


def overview_table(runs):
    """One line per claim, under a heading line per experiment."""
    lines = []
    for run in runs:
        state = "" if was_run(run) else verdict_word("not run")
        lines.append(f'<tr class="group"><th scope="colgroup" colspan="2"><a href="#{anchor(run)}">'
                     f'{escape(run["title"])}</a> <span class="soft">{escape(run["paper"])}</span></th>'
                     f'<td class="extra"></td><td class="extra"></td><td>{state}</td></tr>')
        for claim in run["claims"] if was_run(run) else []:
            lines.append(f'<tr><td><code>{escape(claim["name"]).replace("_", "_<wbr>")}</code></td>'
                         f'<td class="number extra">{number(claim["paper_value"])}</td>'
                         f'<td class="number extra">{expected(claim)}</td>'
                         f'<td class="number">{measured(claim)}</td>'
                         f'<td>{verdict_word(claim["verdict"])}</td></tr>')
    body = "\n".join(lines)
    return f"""<table class="overview">
<thead><tr><th scope="col">Claim</th><th scope="col" class="number extra">Paper</th>
<th scope="col" class="number extra">Expected</th><th scope="col" class="number">Ours</th>
<th scope="col">Verdict</th></tr></thead>
<tbody>
{body}
</tbody></table>"""


def anchor(run):
    return escape(run["id"].replace("/", "-"))


def experiment_section(run, folder):
    head = (f'<section id="{anchor(run)}">\n<h3>{escape(run["title"])}</h3>\n'
            f'<p class="soft">{escape(run["paper"])} · <code>{escape(run["id"])}</code></p>\n')
    if not was_run(run):
        return f'{head}<p class="not-run-reason">Not run: {escape(run["not_run"])}</p>\n</section>'

    renderer = run["renderer"]
    drawn_by = escape(f'{renderer["name"]}, {renderer["version"]}') if renderer else "nothing drawn"
    return f"""{head}{pictures(run, folder)}
<h4>What the paper says</h4>
<p>{escape(run["says"])}</p>
<h4>What we measured</h4>
{left_out(run)}{claims_of(run)}
<dl class="facts">
<dt>Run time</dt><dd>{number(run["seconds"])} s</dd>
<dt>Renderer</dt><dd>{drawn_by}</dd>
</dl>
<h4>Files in <code>{escape(run["id"])}</code></h4>
<ul class="outputs">
{outputs_of(run)}
</ul>
</section>"""


def left_out(run):
    """Models that were missing, with the way to get them; their pictures and claims are not in the run."""
    return "".join(f'<p class="not-run-reason">Left out: {escape(reason)}</p>\n' for reason in run.get("left_out", []))


def claims_of(run):
    rows = []
    for claim in run["claims"]:
        why = claim.get("why", "")
        statement = f'<code>{escape(claim["name"])}</code> ({KIND_WORDS[claim["kind"]]})<br>{escape(claim["statement"])}'
        for note in filter(None, (why, f'Oracle: {claim["oracle"]}.', f'Fails when: {claim["fails_when"]}')):
            statement += f'<br><span class="soft">{escape(note)}</span>'
        rows.append([statement, number(claim["paper_value"]), expected(claim), tolerance(claim),
                     measured(claim), verdict_word(claim["verdict"])])
    columns = [("Claim", "wide"), ("Paper", "number"), ("Expected", "number"), ("Tolerance", "number"),
               ("Ours", "number"), ("Verdict", "")]
    return html_table(columns, rows)


def outputs_of(run):
    return "\n".join(f'<li>{output_name(run, output)}: {escape(output["caption"])}</li>' for output in run["outputs"])


def output_name(run, output):
    """Videos are links: the page stays small."""
    name = f'<code>{escape(output["file"])}</code>'
    if output["kind"] != "video":
        return name
    return f'<a href="{escape(quote(run["id"] + "/" + output["file"]))}">{name}</a>'


def pictures(run, folder):
    """The composed figure when there is one, else every picture the experiment wrote."""
    composed = folder / "figure.png"
    if composed.exists():
        return picture(composed, run["title"])
    images = [output for output in run["outputs"] if output["kind"] == "image"]
    panels = "\n".join(picture(folder / image["file"], image["caption"], caption=True) for image in images)
    return f'<div class="panels">\n{panels}\n</div>' if images else ""


def picture(path, description, caption=False):
    """The PNG file as part of the page. Pictures wider than tall take the page's width, and scroll on a phone."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(path, error.strerror or "cannot be read") from None
    # The signature, then the header chunk with the size [PNG, 5.2 and 11.2.2].
    if not data.startswith(b"\x89PNG\r\n\x1a\n") or len(data) < 24:
        raise InputError(path, "is not a PNG picture")
    width, height = struct.unpack(">II", data[16:24])
    text = base64.b64encode(data).decode("ascii")
    image = (f'<img alt="{escape(description)}" width="{width}" height="{height}" '
             f'src="data:image/png;base64,{text}">')
    words = f"<figcaption>{escape(description)}</figcaption>" if caption else ""
    if width > height:
        hint = '<p class="hint">Scroll sideways to see all of it.</p>'
        return f'<figure class="wide"><div>{image}</div>{words}{hint}</figure>'
    return f"<figure>{image}{words}</figure>"


def attribution_section(runs):
    seen = {}
    for run in runs:
        for item in run.get("attributions", []):
            seen[tuple(item[key] for key in ("model", "attribution", "licence", "source"))] = None
    if not seen:
        return ""
    rows = [[escape(cell) for cell in row] for row in sorted(seen)]
    columns = [("Model", ""), ("Attribution", "wide"), ("Licence", ""), ("Source", "")]
    return f'<section id="attribution">\n<h2>Models and their authors</h2>\n{html_table(columns, rows)}\n</section>\n'


if __name__ == "__main__":
    sys.exit(run_command(__doc__, report))
