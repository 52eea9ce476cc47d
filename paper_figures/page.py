"""The page of a reproduction, OUT_DIR/index.html: what its templates in page/ are given, and the files beside it.

The page stands on OUT_DIR: pictures, tables and videos stay where the experiments wrote them, and are loaded when they
come into view, as is what is folded when it is unfolded. Its own stylesheet, script, small pictures and the words of each
experiment lie in OUT_DIR/page/. As a single file it holds all of it.
"""

import base64
import functools
import io
import json
import re
from pathlib import Path
from urllib.parse import quote

import jinja2
import numpy
from markupsafe import Markup, escape
from PIL import Image, UnidentifiedImageError

import coverage
import digits
import guidance
from common import VERDICTS, InputError, read_json, write_file
from runs import (KIND_WORDS, VERDICT_WORDS, all_claims, by_kind, count_verdicts, expected, measured, number, plain_sentence,
                  tolerance, was_run)

FOLDER = Path(__file__).parent / "page"
PAPERS = Path(__file__).resolve().parents[1] / "repro" / "papers.json"
SCORES = Path(__file__).resolve().parents[1] / "ci" / "mutate" / "scores.json"
STUDIO = Path(__file__).resolve().parents[1] / "shaders" / "include" / "studio.glsl"
THUMBNAIL_WIDTH = 480  # pixels; cards are at most 300 wide, on screens of up to twice the density
QUALITY = 88  # of small pictures: text of figures stays crisp; the pictures themselves are a click away
PREVIEW_WIDTH = 1240  # of figures inside the text, whose column is that wide


def write_page(runs, out_dir, single_file):
    """Writes OUT_DIR/index.html and, unless it is to be a single file, OUT_DIR/page/."""
    pictures = Pictures(out_dir, single_file)
    shown_digits = digits.section(out_dir)
    html, beside = render(runs, out_dir, pictures, single_file, shown_digits)
    if not single_file:
        pictures.write()
        beside |= {"page/style.css": (FOLDER / "style.css").read_text(encoding="utf-8"), "page/page.js": script()}
        if shown_digits:
            words = templates().get_template("digits_part.html").render(digits=shown_digits)
            beside["page/digits.js"] = late_part("digits-more", words)
        for place, text in beside.items():
            write_file(out_dir / place, text.encode("utf-8"))
    path = out_dir / "index.html"
    write_file(path, html.encode("utf-8"))
    return path


def script():
    """page.js and live.js as one; the light of live.js is that of all pictures."""
    live = (FOLDER / "live.js").read_text(encoding="utf-8")
    return (FOLDER / "page.js").read_text(encoding="utf-8") + live.replace(
        '"@STUDIO@"', json.dumps(STUDIO.read_text(encoding="utf-8")))


def templates():
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(FOLDER), autoescape=True, trim_blocks=True,
                                     undefined=jinja2.StrictUndefined, keep_trailing_newline=True)
    environment.filters["breakable"] = lambda name: Markup(escape(name).replace("_", Markup("_<wbr>")))
    return environment


def late_part(part_id, words):
    """The script that page.js loads when the part is unfolded."""
    return f"skinlightBody({json.dumps(part_id)}, {json.dumps(words, ensure_ascii=False)});\n"


def render(runs, out_dir, pictures, single_file, shown_digits):
    """The page, and {place: text} of the experiments' own pages and scripts; none of them where it is a single file."""
    environment = templates()
    parts = environment.get_template("parts.html").module
    shown = {run["id"]: shown_run(run, out_dir, pictures, parts) for run in runs}
    beside = {}
    for run in filter(was_run, runs):
        of_run = shown[run["id"]]
        of_run["body"] = Markup(environment.get_template("body.html").render(run=of_run, alone=False))
        if not single_file:
            beside |= own_files(environment, of_run)
    html = environment.get_template("index.html").render(
        single_file=single_file, css=Markup((FOLDER / "style.css").read_text(encoding="utf-8")),
        script=Markup(script()),
        lead=lead(runs), statements=statements(runs), hero=hero(runs, out_dir, pictures), counts=counts(runs),
        not_run=[shown[run["id"]] for run in runs if not was_run(run)],
        findings=findings(runs, out_dir, pictures), deviations=deviations(runs, pictures), unmeasured=unmeasured(runs),
        guidance=guidance_part(runs, out_dir, parts), digits=shown_digits,
        sources=[{"name": source_name(source), "short": source_name(source).partition(":")[0],
                  "anchor": f"source-{source}", "runs": [shown[run["id"]] for run in group]}
                 for source, group in by_source(runs)],
        claim_count=len(all_claims(runs)), strength=strength(), attributions=attributions(runs))
    return html, beside


def own_files(environment, run):
    """{place: text} of what is folded in an experiment: a page of its own, and the script that brings it into the large one."""
    run |= {"script": f"page/{run['anchor']}.js", "page": own_page(run["id"])}
    body = Markup(environment.get_template("body.html").render(run=run, alone=True))
    return {run["page"]: environment.get_template("alone.html").render(single_file=False, run=run, body=body),
            run["script"]: late_part(run["anchor"], run["body"])}


@functools.lru_cache
def papers():
    """The headings of the experiments of each paper, by the first part of their ids."""
    return {paper["id"]: ": ".join(filter(None, (paper["cited"], paper["title"])))
            for paper in read_json(PAPERS)["papers"]}


def source_name(source):
    """Ids that belong to no paper go by their first part itself."""
    return papers().get(source, source)


def by_source(runs):
    """[(source, its runs)], in the order of the first run of each."""
    groups = {}
    for run in runs:
        groups.setdefault(run["id"].partition("/")[0], []).append(run)
    return list(groups.items())


def anchor(run_id):
    return run_id.replace("/", "-")


def own_page(run_id):
    return f"page/{anchor(run_id)}.html"


def claim_anchor(run, claim):
    return f"{anchor(run['id'])}.{claim['name']}"


def claim_link(run, claim, pictures):
    """To the claim where it can be read without a script; the page's script finds the same claim in the page."""
    place = "" if pictures.single_file else quote(own_page(run["id"]))
    return f"{place}#{quote(claim_anchor(run, claim))}" if was_run(run) else f"#{anchor(run['id'])}"


# ---------------------------------------------------------------------------------------------------------------
# The top


def lead(runs):
    """How much of the papers is covered, and how much of what was run stands."""
    now = count_verdicts(runs)
    of_papers = [claim["verdict"] for _, claim in all_claims(runs) if claim["kind"] != "own"]
    parts = [f"{of_papers.count('reproduced')} of {len(of_papers)} claims of the papers hold",
             f"{now['deviates']} deviate and {now['differs-by-design']} differ by design, each with its reason",
             f"{now['not-run']} were not run" if now["not-run"] else "", f"{now['failed']} failed" if now["failed"] else ""]
    return f"{coverage.summary(coverage.load_coverage())} Here {'; '.join(filter(None, parts))}."


def statements(runs):
    """The rows of repro/coverage.json; experiments that are on the page are links."""
    here = {run["id"] for run in runs}
    rows = []
    for row in coverage.load_coverage():
        links = Markup(", ").join(
            Markup('<a href="#{}">{}</a>').format(anchor(where["experiment"]), where["experiment"])
            if where["experiment"] in here else where["experiment"] for where in row["covered_by"])
        note = Markup('<br><span class="soft">{}</span>').format(row["note"]) if row["note"] else ""
        rows.append([Markup("{}: {}").format(source_name(row["seed"]).partition(":")[0], row["place"]),
                     Markup("{}{}").format(row["statement"], note), links or "–", row["status"]])
    return rows


def counts(runs):
    """Verdicts by kind of claim, in the order deviations first; empty columns are left out."""
    columns = [verdict for verdict in VERDICTS if count_verdicts(runs)[verdict]] or ["reproduced"]
    return {"columns": columns, "words": VERDICT_WORDS,
            "rows": [{"label": label, "numbers": [counts[verdict] for verdict in columns]} for label, counts in by_kind(runs)]}


def strength():
    """Per room of the sources: faults planted, those that a test noticed, and their share."""
    rows = []
    for score in read_json(SCORES):
        able = score["judged"] - score["equivalent"]
        rows.append([score["room"], able, score["red"], f"{score['red'] / able:.0%}" if able else "–",
                     f"{score['wanted']:.0%}"])
    return rows


def hero(runs, out_dir, pictures):
    """The picture that says it all: Fig. 2's pill."""
    for run in runs:
        if run["id"] == "tarini2014/fig2_pill" and was_run(run):
            picture = figure_of(run, out_dir, pictures)
            if picture:
                return {"picture": picture, "caption": run["title"], "live": pictures.live(run, "hero")}
    return None


def findings(runs, out_dir, pictures):
    """The findings of page/findings.json whose experiments were run, with the numbers of this run."""
    ran = {run["id"]: run for run in runs if was_run(run)}
    found = []
    for finding in read_json(FOLDER / "findings.json"):
        run = ran.get(finding["experiment"])
        text = filled(finding["text"], ran) if run else None
        if text is None:
            continue
        found.append({"title": finding["title"], "text": text, "experiment": run["id"], "anchor": anchor(run["id"]),
                      "picture": figure_of(run, out_dir, pictures, finding.get("picture"))})
    return [finding for finding in found if finding["picture"]]


def filled(text, ran):
    """`text` with every {experiment:claim:format} as the claim's value of this run; None where one is missing."""
    missing = []

    def value(match):
        experiment, name, form = match.groups()
        for claim in ran.get(experiment, {"claims": []})["claims"]:
            if claim["name"] == name and claim["value"] is not None:
                return format(claim["value"], form)
        missing.append(name)
        return ""

    words = re.sub(r"\{([^:{}]+):([^:{}]+):([^:{}]*)\}", value, text)
    return None if missing else words


def deviations(runs, pictures):
    """What does not hold, by verdict and source: one sentence each."""
    parts = []
    for verdict in VERDICTS[:VERDICTS.index("not-run")]:
        groups = []
        for source, group in by_source(runs):
            short = source_name(source).partition(":")[0]
            rows = [{"paper": run["paper"].removeprefix(f"{short}, "), "link": claim_link(run, claim, pictures),
                     "statement": claim["statement"], "measured": measured(claim), "sentence": plain_sentence(claim),
                     "paper_value": "" if claim["paper_value"] is None else number(claim["paper_value"])}
                    for run, claim in all_claims(group) if claim["verdict"] == verdict]
            if rows:
                groups.append({"name": short, "claims": rows})
        if groups:
            parts.append({"verdict": verdict, "words": VERDICT_WORDS[verdict], "groups": groups})
    return parts


def unmeasured(runs):
    """[(why, how many claims)] of those that were not run."""
    reasons = [claim["not_run"] for _, claim in all_claims(runs) if claim["verdict"] == "not-run"]
    return [(reason, reasons.count(reason)) for reason in dict.fromkeys(reasons)]


def guidance_part(runs, out_dir, parts):
    """The advice as a table, or which experiments it takes when none of them was run."""
    titles = {run["id"]: run["title"] for run in runs if was_run(run)}
    rows = guidance.advice(out_dir, titles)
    absent = [source for source in guidance.SOURCES if source not in titles]
    note = Markup(", ").join(Markup("<code>{}</code>").format(source) for source in absent)
    if not rows:
        return Markup('<p class="not-run-reason">No numbers: the advice needs {}, none of them run.</p>').format(note)
    cells = [[Markup('<b>{}</b><br><span class="soft">{} (<a href="#{}">{}</a>)</span>').format(
                  row.mesh, row.measured, anchor(row.source), row.source),
              Markup("<b>{}</b>").format(row.use), guidance.degrees(row.standard), guidance.degrees(row.paper),
              Markup("<b>{}</b>").format(guidance.degrees(row.advised)),
              "–" if row.operations is None else f"{row.before} → {row.operations}", row.bytes or "–"]
             for row in rows]
    columns = [("Mesh", "wide mesh"), ("Use", "use"), ("Standard", "number"), ("Paper", "number"),
               ("Advised", "number"), ("Operations", "number"), ("Bytes", "size")]
    left = Markup('<p class="soft">Not run, so numbers are missing: {}.</p>').format(note) if absent else ""
    words = (f"Mean error in degrees before and after, with {guidance.INFLUENCES} bones per vertex. Standard: normals "
             "turned by the blended matrix. Paper: deform factors, and for dual quaternions the approximation with "
             "them. Operations per vertex are those of position and normal together, with standard normals → with the "
             "advised ones. Bytes per vertex, in floats where nothing else is said, come on top of bones and weights. "
             "A dash: not measured, or, of bytes about centres of rotation, without a packed format.")
    return Markup("<p>{}</p>{}{}").format(words, parts.table(columns, cells), left)


# ---------------------------------------------------------------------------------------------------------------
# An experiment


def shown_run(run, out_dir, pictures, parts):
    """A run in the words of experiment.html."""
    shown = {"id": run["id"], "anchor": anchor(run["id"]), "title": run["title"], "paper": run["paper"],
             "not_run": run.get("not_run", ""), "thumbnail": None, "script": "", "tally": [], "claims": []}
    shown.update(zip(("claims", "tally"), shown_claims(run, pictures)))
    if not was_run(run):
        return shown
    folder = out_dir / run["id"]
    images = [output for output in run["outputs"] if output["kind"] == "image"]
    figure = figure_of(run, out_dir, pictures)
    thumbnail = folder / "figure.png" if (folder / "figure.png").exists() else \
        folder / images[0]["file"] if images else None
    shown.update(
        figure=figure, live=pictures.live(run, anchor(run["id"])), says=run["says"], left_out=run.get("left_out", []),
        thumbnail=pictures.small(thumbnail, THUMBNAIL_WIDTH) if thumbnail else None,
        claim_rows=[[claim_words(claim), claim["paper_value"], claim["expected"], claim["tolerance"],
                     claim["measured"], parts.verdict(claim["verdict"])] for claim in shown["claims"]],
        panels=[{"picture": pictures.small(folder / image["file"], THUMBNAIL_WIDTH), "caption": image["caption"]}
                for image in images],
        videos=[{"link": pictures.link(folder / output["file"]), "caption": output["caption"]}
                for output in run["outputs"] if output["kind"] == "video"],
        files=[{"name": output["file"], "caption": output["caption"], "link": pictures.link(folder / output["file"])}
               for output in run["outputs"]],
        seconds=number(run["seconds"]),
        drawn_by=f'{run["renderer"]["name"]}, {run["renderer"]["version"]}' if run["renderer"] else "nothing")
    return shown


def shown_claims(run, pictures):
    """The claims with their numbers as words and their places, and how many of each verdict."""
    claims = [{**claim, "anchor": claim_anchor(run, claim), "link": claim_link(run, claim, pictures),
               "paper_value": number(claim["paper_value"]), "expected": expected(claim),
               "tolerance": tolerance(claim), "measured": measured(claim)} for claim in run["claims"]]
    verdicts = [claim["verdict"] for claim in claims]
    return claims, [(verdict, verdicts.count(verdict)) for verdict in VERDICTS if verdict in verdicts]


def claim_words(claim):
    """Name, statement, reason, oracle and what would make it fail."""
    words = Markup('<code>{}</code> <span class="soft">({})</span><br>{}').format(
        claim["name"], KIND_WORDS[claim["kind"]], claim["statement"])
    if claim.get("why"):
        words += Markup('<br><span class="soft">{}</span>').format(claim["why"])
    for key, label in (("oracle", "Oracle"), ("fails_when", "Fails when"), ("not_run", "Not run")):
        if claim.get(key):
            words += Markup('<br><span class="soft">{}: {}</span>').format(label, sentence(claim[key]))
    return words


def sentence(text):
    return text if text.endswith(".") else f"{text}."


def figure_of(run, out_dir, pictures, name=None):
    """The composed figure when there is one, or a picture of the experiment by name."""
    path = out_dir / run["id"] / (name or "figure.png")
    return pictures.small(path, PREVIEW_WIDTH) if path.exists() else None


def attributions(runs):
    seen = {tuple(item[key] for key in ("model", "attribution", "licence", "source"))
            for run in runs for item in run.get("attributions", [])}
    return [list(row) for row in sorted(seen)]


# ---------------------------------------------------------------------------------------------------------------
# Pictures and links


def live_numbers(path):
    """What live.js draws: 16-bit integers, positions around the middle of all frames in units of the longest way from it."""
    view = read_json(path)
    try:
        positions, standard, better = (numpy.load(path.parent / "live" / f"{name}.npy", allow_pickle=False)
                                       for name in ("positions", "standard", "better"))
        faces = numpy.asarray(view["faces"], dtype="<u2")
        middle = (positions.min(axis=0) + positions.max(axis=0)) / 2
        radius = float(numpy.linalg.norm(positions - middle, axis=1).max()) or 1.0
        if not (positions.shape == standard.shape == better.shape and len(positions) % view["frames"] == 0):
            raise ValueError("its arrays are not of the same frames")
    except (OSError, ValueError, KeyError, OverflowError) as error:
        raise InputError(path, f"cannot be shown: {error}") from None

    def packed(numbers):
        return base64.b64encode(numpy.round(numpy.clip(numbers, -1, 1) * 32767).astype("<i2").tobytes()).decode("ascii")

    return {**{key: view[key] for key in ("rig", "pose", "standard", "better", "frames", "towards_eye", "up")},
            "vertices": len(positions) // view["frames"], "faces": base64.b64encode(faces.tobytes()).decode("ascii"),
            "positions": packed((positions - middle) / radius), "normals_standard": packed(standard),
            "normals_better": packed(better)}


class Pictures:
    """Small copies of pictures, made once each; links relative to the page, or data in a single file."""

    def __init__(self, out_dir, single_file):
        self._out, self.single_file, self._made = out_dir, single_file, {}

    def link(self, path):
        """Empty in a single file, which has no files beside it."""
        return "" if self.single_file else quote(path.relative_to(self._out).as_posix())

    def small(self, path, width):
        """{preview, link, width, height} of a picture at most `width` pixels wide; `link` is the picture itself."""
        data, size = self._reduced(path, width)
        place = f"page/{path.relative_to(self._out).as_posix().replace('/', '-')}"
        place = f"{place.removesuffix('.png')}-{width}.webp"
        if self.single_file:
            address = "data:image/webp;base64," + base64.b64encode(data).decode("ascii")
            return {"preview": address, "link": address, "width": size[0], "height": size[1]}
        self._made[place] = data
        return {"preview": quote(place), "link": self.link(path), "width": size[0], "height": size[1]}

    def live(self, run, name):
        """{name, script} of the view in motion; None without one, and in a single file, whose stills have to do."""
        files = [output["file"] for output in run["outputs"] if output["kind"] == "live"]
        if self.single_file or not files:
            return None
        place = f"page/live-{name}.js"
        numbers = json.dumps(live_numbers(self._out / run["id"] / files[0]), separators=(",", ":"))
        self._made[place] = f"skinlightLive({json.dumps(name)}, {numbers});\n".encode("utf-8")
        return {"name": name, "script": quote(place)}

    def write(self):
        (self._out / "page").mkdir(exist_ok=True)
        for place, data in self._made.items():
            write_file(self._out / place, data)

    def _reduced(self, path, width):
        try:
            with Image.open(path) as image:
                if image.format != "PNG":
                    raise InputError(path, "is not a PNG picture")
                small = image.convert("RGBA" if "A" in image.mode else "RGB")
                if image.width > width:
                    small = small.resize((width, max(1, round(image.height * width / image.width))), Image.LANCZOS)
                buffer = io.BytesIO()
                small.save(buffer, "WEBP", quality=QUALITY)
                return buffer.getvalue(), small.size
        except (UnidentifiedImageError, SyntaxError, ValueError):
            raise InputError(path, "is not a PNG picture") from None
        except OSError as error:
            raise InputError(path, error.strerror or "is not a PNG picture") from None
