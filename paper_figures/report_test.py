"""The page and the table: what they show, what they refuse, and that the page needs nothing but its folder."""

import base64
import io
import json
import os
import re
import subprocess
import sys
import urllib.parse
from html.parser import HTMLParser
from pathlib import Path

import matplotlib.image
import numpy
import PIL.Image
import pytest

import page as page_module
import report
import runs
from conftest import LIVE, PILL, make_claim, make_run, unrun, write_live, write_pill, write_run

SCRIPT = Path(__file__).with_name("report.py")
VOID = {"meta", "img", "br", "wbr", "link", "base"}


def run_report(*arguments, cwd=None):
    return subprocess.run([sys.executable, "-B", str(SCRIPT), *map(str, arguments)], capture_output=True,
                          text=True, encoding="utf-8", cwd=cwd, timeout=60)


class Page(HTMLParser):
    """Checks that tags nest, and keeps what the tests ask for."""

    def __init__(self, out, place="index.html"):
        super().__init__()
        self.html = (out / place).read_text(encoding="utf-8")
        self.open, self.tags, self.links, self.ids, self.images, self.words, self.sources = [], [], [], [], [], [], []
        self.feed(self.html)
        self.close()
        assert self.open == []
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append(tag)
        self.links += [attributes["href"]] if "href" in attributes else []
        self.ids += [attributes["id"]] if "id" in attributes else []
        self.images += [attributes["src"]] if tag == "img" and "src" in attributes else []
        self.sources += [attributes["src"]] if tag in ("script", "video") and "src" in attributes else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not self.open or self.open[-1] not in ("style", "script"):
            self.words.append(data)


def own_page(out, run_id=PILL):
    """What is folded in an experiment, on the page of its own."""
    return Page(out, page_module.own_page(run_id))


def test_all_reproduced_exits_0_and_ends_with_the_page(out):
    write_pill(out)
    result = run_report(out)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.splitlines()[-1] == str(out / "index.html")


def test_path_of_the_page_is_relative_below_the_working_directory(out):
    write_pill(out)
    assert run_report("out", cwd=out.parent).stdout.splitlines()[-1] == "out/index.html"


def test_deviation_exits_0_and_failure_exits_1_with_the_page_written(out):
    write_run(out, make_run(claims=[make_claim(verdict="deviates", why="coarser mesh")], outputs=[]))
    assert run_report(out).returncode == 0
    write_run(out, make_run(claims=[make_claim(), make_claim(verdict="failed")], outputs=[]))
    (out / "index.html").unlink()
    assert run_report(out).returncode == 1
    assert Page(out).text


def test_page_shows_every_part_of_a_claim(out):
    claim = make_claim(paper_value=130, expected=1.7, value=1.8625, tolerance=0.125, bound="at_least",
                       verdict="deviates", why="the jitter differs", kind="printed", oracle="the printed table",
                       fails_when="Another pill is bent.")
    write_run(out, make_run(claims=[claim], outputs=[]))
    assert run_report(out).returncode == 0
    text = own_page(out).text
    for part in ("Standard normals are far off.", "130", "≥ 1.7", "0.125", "1.863", "deviates",
                 "the jitter differs", "(printed number)", "Oracle: the printed table.",
                 "Fails when: Another pill is bent.", "The usual normals ignore", "4.25 s", "llvmpipe, Mesa 22.3.6",
                 "Tarini, Panozzo, Sorkine-Hornung 2014, Fig. 2"):
        assert part in text
    # The words are ours, and of experiments that go beyond the papers too: no paper says them.
    assert "What this is about The usual normals ignore" in text
    assert "The usual normals ignore" not in Page(out).text
    assert '<span class="deviates">1 deviates</span>' in Page(out).html


def test_counts_add_up_over_experiments(out):
    write_run(out, make_run(claims=[make_claim(), make_claim()], outputs=[]))
    write_run(out, make_run(id="a/b", claims=[make_claim(verdict="failed")], outputs=[]))
    write_run(out, make_run(id="a/c", claims=[make_claim(verdict="deviates", why="w")], outputs=[]))
    write_run(out, unrun("a/d", "no models here"))
    result = run_report(out)
    assert "statements of the papers: 1 failed, 1 deviates, 1 not-run, 2 reproduced" in result.stdout
    page = Page(out)
    assert "failed deviates not-run reproduced statements of the papers 1 1 1 2" in page.text
    assert "1 not run" in page.text
    assert "Not run: no models here" in page.text


def test_models_that_were_left_out_are_named(out):
    write_run(out, make_run(outputs=[], left_out=["needs fox (a <sample>)", "needs a cactus"]))
    assert run_report(out).returncode == 0
    page = own_page(out)
    assert "Left out: needs fox (a <sample>)" in page.text and "Left out: needs a cactus" in page.text


def test_left_out_must_be_texts(out):
    folder = write_run(out, make_run(outputs=[], left_out=[3]))
    result = run_report(out)
    assert (result.returncode, result.stderr) == (2, f"{folder / 'run.json'}: left_out: must be a list of texts\n")


def test_the_terminal_tells_deviations_first_in_a_sentence_each_and_counts_by_kind(out):
    write_run(out, make_run(outputs=[], claims=[
        make_claim(kind="own"), make_claim(name="finer", verdict="deviates", why="It is finer. As Fig. 3 shows."),
        make_claim(name="laid_out", kind="printed", paper_value=63, value=60.0, verdict="differs-by-design",
                   why="No w. Ever."), make_claim(name="lost", verdict="failed", value=None)]))
    write_run(out, unrun("a/b", "needs fox", count=3))
    lines = report.summary(runs.load_runs(out)).splitlines()
    assert [line for line in lines if line] == [
        f"FAILED. {runs.VERDICT_WORDS['failed']}", f"  {PILL} lost (ours not a number): ",
        f"DEVIATES. {runs.VERDICT_WORDS['deviates']}", f"  {PILL} finer (ours 16.2): It is finer.",
        f"DIFFERS-BY-DESIGN. {runs.VERDICT_WORDS['differs-by-design']}",
        f"  {PILL} laid_out (ours 60, printed 63): No w.",
        f"NOT-RUN. {runs.VERDICT_WORDS['not-run']}", "  a/b: needs fox.",
        "numbers that the papers print: 1 differs-by-design",
        "statements of the papers: 1 failed, 1 deviates, 3 not-run", "our own results: 1 reproduced"]


@pytest.mark.parametrize("value, text", [(16.19842, "16.2"), (0, "0"), (1.2e-9, "1.2e-9"), (None, "–"),
                                         (2040000, "2.04e6"), (-0.5, "-0.5"), (1200, "1200")])
def test_numbers_read_well(value, text):
    assert runs.number(value) == text


def test_everything_from_outside_is_escaped(out):
    evil = '<script>alert("x")</script>&amp;\'"'
    claim = make_claim(name=evil, statement=evil, verdict="failed", why=evil, kind="own", oracle=evil, fails_when=evil)
    folder = write_run(out, make_run(
        paper=evil, title=evil, says=evil, renderer={"name": evil, "version": evil}, claims=[claim], left_out=[evil],
        outputs=[{"file": "rest.png", "kind": "image", "caption": evil}],
        attributions=[{"model": evil, "attribution": evil, "licence": evil, "source": evil}]))
    write_run(out, unrun("a/b", evil, paper=evil, title=evil))
    matplotlib.image.imsave(folder / "rest.png", numpy.zeros((4, 6, 3)))
    assert run_report(out).returncode == 1
    # The page's own script is the only one, and what came in reads back as it was: escaped once, not twice.
    for page, times in ((Page(out), 16), (own_page(out), 13)):
        assert page.tags.count("script") == 1 and page.sources == ["page/page.js"]
        assert page.text.count("alert(\"x\")</script>&amp;'\"") >= times
        assert "<script>alert" not in page.html and "&amp;amp;amp;" not in page.html


def test_page_needs_nothing_but_its_folder(out):
    folder = write_pill(out)
    matplotlib.image.imsave(folder / "figure.png", numpy.random.default_rng(1).random((900, 1500, 3)))
    assert run_report(out).returncode == 0
    page, own = Page(out), own_page(out)
    ids = {"index.html": page.ids, page_module.own_page(PILL): own.ids}
    for this in (page, own):
        assert not {"iframe", "object", "embed"} & set(this.tags)
        assert not re.search(r"https?:|url\(|@import|file:", this.html)
        # An experiment's own page lies lower, and says that its links start where the page does.
        assert ('<base href="../">' in this.html) == (this is own)
        for link in this.links + this.images + this.sources:
            place, _, part = urllib.parse.unquote(link).partition("#")
            assert place or this is page, link
            assert not place or (out / place).exists(), link
            assert not part or part in ids[place or "index.html"], link
    # Only the picture on top is loaded at once, and it is a small copy.
    eager = re.findall(r'<img src="([^"]+)"[^>]*(?<!loading="lazy")>', page.html)
    assert eager == ["page/tarini2014-fig2_pill-figure-1240.webp"]


def test_what_is_folded_comes_as_a_script_or_on_a_page_of_its_own(out):
    write_pill(out, claims=[make_claim(), make_claim(name="finer", verdict="deviates", why="It's \u2264 5. \u2028Yes.")])
    write_run(out, unrun("a/b", "no models here"))
    assert run_report(out).returncode == 0
    page, own = Page(out), own_page(out)
    assert re.findall(r'data-script="([^"]+)"', page.html) == ["page/tarini2014-fig2_pill.js"]
    name, words = re.fullmatch(r"skinlightBody\((\S+), (.*)\);\n", (out / "page/tarini2014-fig2_pill.js").read_text(
        encoding="utf-8")).groups()
    assert json.loads(name) in page.ids
    assert '<details class="claims">' in json.loads(words)  # folded, on its own page it is not
    assert json.loads(words).replace('<details class="claims">', '<details class="claims" open>') in own.html
    # Claims are linked from where they are listed; those that were not run have nothing to unfold.
    claims = [f"tarini2014-fig2_pill.{name}" for name in ("standard_rms_96", "finer")]
    assert set(claims) <= set(own.ids) and not set(claims) & set(page.ids)
    links = [f"page/tarini2014-fig2_pill.html#{claim}" for claim in claims]
    assert [link for link in page.links if ".html#" in link or link == "#a-b"] == ["#a-b", links[1], "#a-b", "#a-b", *links]
    assert own_page(out).links.count("index.html#tarini2014-fig2_pill") == 1


def test_single_file_holds_all_of_it(out):
    folder = write_pill(out)
    assert run_report(out, "--single-file").returncode == 0
    page = Page(out)
    assert not (out / "page").exists() and page.sources == [] and "link" not in page.tags
    assert "The usual normals ignore" in page.text and "data-script=" not in page.html
    assert all(link[1:] in page.ids for link in page.links if link.startswith("#"))
    assert page.images and all(image.startswith("data:image/webp;base64,") for image in page.images)
    shown = PIL.Image.open(io.BytesIO(_decoded(page.images)[0])).convert("RGB")
    written = PIL.Image.open(folder / "rest.png").convert("RGB")
    assert numpy.abs(numpy.subtract(shown, written, dtype=int)).mean() < 3
    assert all(not link or link.startswith(("#", "data:")) for link in page.links)


def test_a_video_plays_in_place(out):
    video = {"file": "video.mp4", "kind": "video", "caption": "In motion"}
    frames = {"file": "video/0001.png", "kind": "frames", "caption": "Of another run"}
    write_run(out, make_run(outputs=[video, frames]))
    assert run_report(out).returncode == 0
    page = own_page(out)
    assert page.sources == [f"{PILL}/video.mp4", "page/page.js"]
    assert f"{PILL}/video.mp4" in page.links and f"{PILL}/video/0001.png" in page.links
    assert not page.images and "In motion" in page.text


def test_a_view_in_motion_comes_as_a_script_of_its_own(out):
    folder = write_pill(out, outputs=[*make_run()["outputs"], LIVE])
    arrays = write_live(folder)
    assert run_report(out).returncode == 0
    page = own_page(out)
    assert 'data-script="page/live-tarini2014-fig2_pill.js"' in page.html and page.sources == ["page/page.js"]
    name, numbers = re.fullmatch(r"skinlightLive\((\S+), (.*)\);\n", (out / "page/live-tarini2014-fig2_pill.js").read_text(
        encoding="utf-8")).groups()
    view = json.loads(numbers)
    assert json.loads(name) == "tarini2014-fig2_pill" and view["vertices"] == 81 and view["frames"] == 5

    def unpacked(text, kind):
        return numpy.frombuffer(base64.b64decode(text), dtype=kind)

    for shown, written in (("normals_standard", "standard"), ("normals_better", "better")):
        assert numpy.abs(unpacked(view[shown], "<i2").reshape(-1, 3) / 32767 - arrays[written]).max() < 1 / 32767
    positions = unpacked(view["positions"], "<i2").reshape(-1, 3) / 32767
    # Only moved and scaled as a whole, into the unit ball.
    factor = numpy.ptp(arrays["positions"][:, 0]) / numpy.ptp(positions[:, 0])
    moved = arrays["positions"] - factor * positions
    assert numpy.ptp(moved, axis=0).max() < 1e-3 and abs(numpy.linalg.norm(positions, axis=1).max() - 1) < 1e-3
    assert unpacked(view["faces"], "<u2").tolist() == sum(json.loads((folder / "live.json").read_text())["faces"], [])
    # The light is that of the pictures; a single file has stills only.
    assert "lit_by" in (out / "page/page.js").read_text(encoding="utf-8") and "@STUDIO@" not in page_module.script()
    assert run_report(out, "--single-file").returncode == 0
    assert 'class="live"' not in Page(out).html


@pytest.mark.parametrize("harm", ("gone", "short", "words"))
def test_a_view_that_cannot_be_shown_is_named(out, harm):
    folder = write_pill(out, outputs=[LIVE])
    write_live(folder)
    path = folder / "live" / "better.npy"
    if harm == "gone":
        path.unlink()
    elif harm == "short":
        numpy.save(path, numpy.load(path)[:-1])
    else:
        path.write_text("no numbers")
    result = run_report(out)
    assert result.returncode == 2 and "live.json" in result.stderr and len(result.stderr.splitlines()) == 1


def test_every_picture_opens_large(out):
    folder = write_pill(out)
    matplotlib.image.imsave(folder / "figure.png", numpy.random.default_rng(1).random((900, 1500, 3)))
    assert run_report(out).returncode == 0
    shown = re.findall(r'<a class="picture" href="([^"]+)"><img src="([^"]+)" width="(\d+)" height="(\d+)"', Page(out).html + own_page(out).html)
    assert (f"{PILL}/figure.png", "page/tarini2014-fig2_pill-figure-1240.webp", "1240", "744") in shown
    assert (f"{PILL}/rest.png", "page/tarini2014-fig2_pill-rest-480.webp", "240", "320") in shown
    with PIL.Image.open(out / "page/tarini2014-fig2_pill-figure-480.webp") as thumbnail:
        assert thumbnail.size == (480, 288)


def test_verdicts_stand_apart_by_kind_deviations_first(out):
    write_run(out, make_run(claims=[
        make_claim(kind="printed"), make_claim(kind="printed", verdict="deviates", why="Their mesh is finer. It is."),
        make_claim(kind="own"), make_claim(kind="own"), make_claim(kind="statement", verdict="failed"),
        make_claim(verdict="differs-by-design", why="No w is stored.")], outputs=[]))
    assert run_report(out).returncode == 1
    text = Page(out).text
    assert "failed deviates differs-by-design reproduced numbers that the papers print 0 1 0 1" in text
    assert "our own results 0 0 0 2" in text and "statements of the papers 1 0 1 0" in text
    sections = [text.index(f"{heading} {words}") for heading, words in (
        ("What failed", runs.VERDICT_WORDS["failed"]), ("What deviates", runs.VERDICT_WORDS["deviates"]),
        ("What differs by design", runs.VERDICT_WORDS["differs-by-design"]))]
    assert sections == sorted(sections)
    assert "Their mesh is finer." in text[sections[1]:sections[2]] and "It is." not in text[sections[1]:sections[2]]
    assert "No w is stored." in text[sections[2]:]


def test_findings_carry_the_numbers_of_the_run(out, monkeypatch, tmp_path):
    folder = write_pill(out)
    matplotlib.image.imsave(folder / "figure.png", numpy.zeros((4, 6, 3)))
    ran = {run["id"]: run for run in runs.load_runs(out)}
    assert page_module.filled(f"{{{PILL}:standard_rms_96:.1f}} degrees", ran) == "16.2 degrees"
    assert page_module.filled(f"{{{PILL}:no_such:.1f}}", ran) is None
    assert page_module.filled("{a/b:standard_rms_96:.1f}", ran) is None


def test_findings_name_experiments_and_claims_in_the_right_form():
    findings = page_module.read_json(page_module.FOLDER / "findings.json")
    assert len(findings) == 5
    for finding in findings:
        # Who follows the link finds the number that the text begins with.
        assert re.search(r"\{([^:{}]+):", finding["text"])[1] == finding["experiment"]
        assert set(finding) <= {"title", "text", "experiment", "picture"}
        assert not re.search(r"[{}]", re.sub(r"\{[a-z0-9]+/[a-z0-9_]+:[a-z0-9_]+:[.0-9a-z%]*\}", "", finding["text"]))


@pytest.mark.parametrize("text, sentence", [
    ("One. Two.", "One."), ("Off by .5 degrees. Then", "Off by .5 degrees."), ("See Fig. 2 of it. Next", "See Fig. 2 of it."),
    ("[TPS14 Sec. 4.4] says so. More", "[TPS14 Sec. 4.4] says so."), ("", "")])
def test_first_sentences(text, sentence):
    assert runs.first_sentence(text) == sentence


def _decoded(images):
    return [base64.b64decode(image.partition(",")[2]) for image in images]


def test_page_has_the_same_bytes_every_time(out):
    write_pill(out)
    write_run(out, make_run(id="a/b", outputs=[]))
    run_report(out)
    first = (out / "index.html").read_bytes()
    run_report(out)
    assert (out / "index.html").read_bytes() == first
    assert first.index(b'id="a-b"') < first.index(b'id="tarini2014-fig2_pill"')


def test_experiments_stand_in_their_order_then_by_id(out):
    for place, order in (("a/late", 2), ("z/early", 1), ("c/unsaid", None), ("b/unsaid", None)):
        write_run(out, make_run(id=place, outputs=[], **({} if order is None else {"order": order})))
    assert [run["id"] for run in runs.load_runs(out)] == ["b/unsaid", "c/unsaid", "z/early", "a/late"]


def test_experiments_stand_under_their_sources(out):
    for place, order in (("slides/one", 1), ("tarini2014/two", 2), ("slides/three", 3), ("other/four", 4)):
        write_run(out, make_run(id=place, title=f"Title of {place}", outputs=[], order=order))
    assert run_report(out).returncode == 0
    page = Page(out)
    headings = re.findall(r'class="source">\n<h2>([^<]+)|<span class="title">(Title of [^<]+)', page.html)
    assert [a or b for a, b in headings] == [
        page_module.papers()["slides"], "Title of slides/one", "Title of slides/three",
        page_module.papers()["tarini2014"], "Title of tarini2014/two", "other", "Title of other/four"]
    places = [link[1:] for link in page.links if link.startswith("#source-")]
    assert places == ["source-slides", "source-tarini2014", "source-other"]


def test_models_are_attributed_once(out):
    fox = {"model": "fox", "attribution": "Fox by PixelMannen", "licence": "CC0", "source": "https://example.org/fox"}
    write_run(out, make_run(outputs=[], attributions=[fox]))
    write_run(out, make_run(id="a/b", outputs=[], attributions=[fox]))
    assert run_report(out).returncode == 0
    assert Page(out).text.count("PixelMannen") == 1


def test_attributions_stand_in_the_order_of_their_models(out):
    items = [{"model": name, "attribution": f"{name} by A", "licence": "CC0", "source": f"https://example.org/{name}"}
             for name in ("wolf", "man", "fox", "hand", "trex")]
    write_run(out, make_run(outputs=[], attributions=items))
    assert run_report(out).returncode == 0
    text = Page(out).text
    places = [text.index(f"{name} by A") for name in ("fox", "hand", "man", "trex", "wolf")]
    assert places == sorted(places)


def test_page_without_models_has_no_attribution(out):
    write_pill(out)
    run_report(out)
    assert "attribution" not in Page(out).ids


@pytest.mark.parametrize("damage, message", [
    (lambda folder: (folder / "run.json").write_text("{"), "run.json: line 1: is not JSON"),
    (lambda folder: (folder / "run.json").write_bytes(b"\xff\xfe"), "run.json: is not UTF-8 text"),
    (lambda folder: (folder / "run.json").write_text("[]"), "run.json: document: must be an object"),
    (lambda folder: (folder / "run.json").unlink(), "out: holds no run.json"),
    (lambda folder: (folder / "rest.png").unlink(), "rest.png: No such file"),
    (lambda folder: (folder / "rest.png").write_text("GIF"), "rest.png: is not a PNG picture"),
    (lambda folder: folder.rename(folder.with_name("fig3")),
     "fig3/run.json: id: is 'tarini2014/fig2_pill', but the folder says 'tarini2014/fig3'")])
def test_unusable_input_is_one_line_and_exit_2_without_a_page(out, damage, message):
    damage(write_pill(out))
    result = run_report(out)
    assert result.returncode == 2
    assert message in result.stderr and result.stderr.count("\n") == 1
    assert result.stdout == ""
    assert not (out / "index.html").exists()


@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["--quick"], [""]])
def test_wrong_command_line_exits_2(arguments, out):
    result = run_report(*arguments, cwd=out)
    assert result.returncode == 2
    assert ("usage: report.py OUT_DIR" in result.stderr) or arguments == [""]


def test_missing_folder_is_named():
    result = run_report("no_such_folder")
    assert (result.returncode, result.stderr) == (2, "no_such_folder: is no folder\n")


def test_terminal_without_unicode_is_no_error(out):
    write_pill(out, claims=[make_claim(verdict="deviates", why="It is ≤ 5.")])
    result = subprocess.run([sys.executable, "-B", str(SCRIPT), str(out)], capture_output=True, timeout=60,
                            env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert result.returncode == 0
    assert "≤ 5".encode() in result.stdout


def test_help_is_no_error():
    result = run_report("--help")
    assert (result.returncode, result.stderr) == (0, "")
    assert "usage: report.py OUT_DIR" in result.stdout


def test_an_order_that_is_no_number_is_named(out):
    write_run(out, make_run(order="first"))
    result = run_report(out)
    assert result.returncode == 2 and "order" in result.stderr


def test_the_documents_cite_papers_as_the_table_does():
    root = Path(__file__).resolve().parents[1]
    readme, notation, cff = ((root / name).read_text(encoding="utf-8")
                             for name in ("README.md", "lib/NOTATION.md", "CITATION.cff"))
    table = json.loads(page_module.PAPERS.read_text(encoding="utf-8"))["papers"]
    for paper in filter(lambda row: row["tag"], table):
        doi = f"[doi:{paper['doi']}](https://doi.org/{paper['doi']})" if paper["doi"] else ""
        words = ". ".join(filter(None, (f"{paper['authors']}: {paper['title']}", paper["published"], doi)))
        assert f"| {paper['tag']} | {words} |" in readme
        assert f"| {paper['tag']} | {paper['cited']}: {paper['title']} |" in notation
    cited = re.findall(r"^ {4}title: (.*)$", cff, re.MULTILINE)
    assert cited and set(cited) <= {paper["title"] for paper in table}


def test_the_page_tells_how_many_planted_faults_tests_notice(out, monkeypatch, tmp_path):
    scores = tmp_path / "scores.json"
    monkeypatch.setattr(page_module, "SCORES", scores)
    write_run(out, make_run(outputs=[]))
    scores.write_text(json.dumps([{"room": "truth", "judged": 44, "red": 39, "equivalent": 3, "survived": 2, "wanted": 0.95}]))
    page_module.write_page(runs.load_runs(out), out, False)
    assert "Sources Faults Noticed Share Wanted truth 41 39 95% 95%" in Page(out).text
    scores.write_text("[]")
    page_module.write_page(runs.load_runs(out), out, False)
    assert "How strong" not in Page(out).text
