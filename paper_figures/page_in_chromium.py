"""The page of a reproduction in headless Chromium, as readers have it: run by ci/web.sh.

Checks at every width that nothing scrolls sideways, that the page is not endless, that pictures open in place, that what
is folded comes when it is unfolded and not before, that links unfold what they name and that the console stays silent.
The page is made of made-up runs, as many as there are experiments, and of the folder that SKINLIGHT_OUT names, if it is
set.
"""

import html
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
import urllib.parse
from functools import partial
from pathlib import Path

import matplotlib.image
import numpy
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from conftest import LIVE, make_claim, make_run, unrun, write_digits, write_live, write_pill, write_run  # noqa: E402

SCRIPT = Path(__file__).with_name("report.py")
WIDTHS = (360, 390, 768, 1024, 1280, 1440, 1920)
SCREEN = 900  # pixels of height at 1440 wide
MOST_SCREENS = 40
MOST_BYTES = 1_500_000  # loaded before anybody scrolls or unfolds: a second at 12 Mbit/s
LEAST_WIDTH = 700  # pixels of figures on a phone; their words are a hundredth of their width high
# Pixels below the screen from where Chromium loads pictures that are to be loaded when needed, on slow connections. Without
# a screen it loads them all at once, so that what is needed is told by where it stands.
REACH = 2500
CHROMIUM = shutil.which("chromium")

# Runs inside the page that holds the report in frames of every width, and leaves what it saw as JSON.
PROBE = """<!DOCTYPE html><meta charset="utf-8"><pre id="seen"></pre><script>
const widths = %s;
const frames = widths.map(width => {
  const frame = document.createElement("iframe");
  frame.style.cssText = `border:0;width:${width}px;height:%dpx`;
  frame.src = "/index.html";
  document.body.append(frame);
  return frame;
});
const wait = ms => new Promise(done => setTimeout(done, ms));
async function look() {
  await Promise.all(frames.map(frame => new Promise(done => { frame.onload = done; })));
  const seen = {widths: {}};
  const view = frames[widths.indexOf(1440)].contentWindow, page = view.document;
  const near = part => part.getClientRects().length && part.getBoundingClientRect().top < %d;
  seen.needed = ["/index.html", ...[...page.querySelectorAll("script[src], link[rel=stylesheet]")].map(part => part.src || part.href),
    ...[...page.images].filter(near).map(image => image.src),
    ...[...page.querySelectorAll(".live")].filter(place => near(place.parentNode)).map(place => place.dataset.script)];
  seen.early = view.performance.getEntries().filter(entry => /(-|digits).*\\.js$/.test(entry.name) && !entry.name.includes("live-")).length;
  // A claim of an experiment that nobody has unfolded: the page brings its words, and shows it.
  const claim = page.querySelector(".overview a[href*='.html#']"), experiment = page.getElementById(claim.hash.slice(1).split(".")[0]);
  seen.claim = {before: experiment.open || !!page.getElementById(claim.hash.slice(1))};
  claim.click();
  for (let i = 0; i < 100 && !page.getElementById(claim.hash.slice(1)); ++i) await wait(50);
  const row = page.getElementById(claim.hash.slice(1)), inView = () => {
    const place = row.getBoundingClientRect();
    return place.height > 0 && place.top >= -1 && place.top < %d;
  };
  for (let i = 0; i < 60 && !inView(); ++i) await wait(50);
  Object.assign(seen.claim, {stays: view.location.pathname === "/index.html", shown: row.textContent.includes("Oracle"),
    seen: inView(), focused: page.activeElement === row});
  const before = frames.map(frame => {
    const root = frame.contentDocument.documentElement;
    frame.contentDocument.querySelectorAll("details").forEach(part => { part.open = false; });
    const folded = {over: root.scrollWidth - root.clientWidth, height: root.scrollHeight};
    frame.contentDocument.getElementById("unfold-all").click();
    return folded;
  });
  const unloaded = () => frames.some(frame => frame.contentDocument.querySelector("details[data-script], .body > p > a[href$='.html']"));
  for (let i = 0; i < 200 && unloaded(); ++i) await wait(50);
  seen.loaded = !unloaded() && frames.every(frame => [...frame.contentDocument.querySelectorAll("details > .body")].every(part => part.children.length));
  // Words of figures, on a phone: at the width of its screen nobody could read them.
  seen.figures = [...frames[widths.indexOf(390)].contentDocument.querySelectorAll(".body > div > figure img")]
    .map(image => image.getBoundingClientRect().width);
  frames.forEach((frame, i) => {
    const page = frame.contentDocument, root = page.documentElement, folded = before[i];
    const wide = [...page.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > root.clientWidth + 1)
      .map(e => e.outerHTML.slice(0, 80));
    seen.widths[widths[i]] = {folded, over: root.scrollWidth - root.clientWidth, wide: wide.slice(0, 3),
      all: [...page.querySelectorAll("details")].every(part => part.open)};
    page.querySelectorAll("details").forEach(part => { part.open = false; });
  });
  const first = page.querySelector("a.picture"), dialog = page.getElementById("large");
  first.click();
  seen.large = {open: dialog.open, source: dialog.querySelector("img").src, link: first.href};
  dialog.querySelector("button").click();
  seen.closed = !dialog.open;
  const last = [...page.querySelectorAll(".experiment")].pop();
  seen.before = last.open;
  view.location.hash = "#" + last.id;
  await wait(300);
  seen.after = last.open;
  const top = page.querySelector(".to-top").getBoundingClientRect();
  seen.top = top.right <= 1440 && top.bottom <= %d && top.width >= 40;
  seen.broken = [...page.images].filter(image => image.loading !== "lazy" && !image.naturalWidth).map(image => image.src);
  document.getElementById("seen").textContent = JSON.stringify(seen);
}
look().catch(error => { document.getElementById("seen").textContent = JSON.stringify({error: String(error)}); });
</script>""" % (list(WIDTHS), SCREEN, SCREEN + REACH, SCREEN, SCREEN)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path != "/probe":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(PROBE.encode("utf-8"))

    def log_message(self, *_):
        pass


def look(folder, tmp_path):
    """What PROBE saw, and what the console said."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        result = subprocess.run(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--force-prefers-reduced-motion",
             f"--user-data-dir={tmp_path / 'profile'}", "--window-size=2000,1200", "--enable-logging=stderr",
             "--virtual-time-budget=20000", "--dump-dom", f"http://127.0.0.1:{server.server_port}/probe"],
            capture_output=True, text=True, encoding="utf-8", timeout=120)
    finally:
        server.shutdown()
    text = result.stdout.partition('<pre id="seen">')[2].partition("</pre>")[0]
    assert text, result.stderr[-2000:]
    # What Chromium says of its own software WebGL is not about the page.
    others = ("favicon", "GL Driver Message", "software WebGL")
    console = [line for line in result.stderr.splitlines() if "CONSOLE" in line and not any(word in line for word in others)]
    return json.loads(html.unescape(text)), console


def made_up(out):
    """As many experiments as the project has, with long names, many claims, wide figures and one that was not run."""
    picture = numpy.linspace(0, 1, 1500 * 900 * 3).reshape(900, 1500, 3)
    for number in range(36):
        claims = [make_claim(name=f"a_claim_with_a_long_name_{number}_{i}", kind=("printed", "statement", "own")[i % 3],
                             verdict="deviates" if i == 0 else "reproduced", why="Their mesh is finer. " * 4,
                             oracle="closed form", fails_when="a sign is flipped") for i in range(12)]
        folder = write_run(out, make_run(id=f"{('tarini2014', 'slides', 'beyond')[number % 3]}/experiment_{number}",
                                         order=number, claims=claims,
                                         outputs=[{"file": "a_table_with_a_very_long_file_name_indeed_" * 2 + ".csv",
                                                   "kind": "table", "caption": "Angular errors"}]))
        matplotlib.image.imsave(folder / "figure.png", picture)
    folder = write_pill(out, order=-1)
    matplotlib.image.imsave(folder / "figure.png", picture)
    write_run(out, unrun("a/b", "no models here"))
    kernels = [f"a-kernel-with-a-long-name{guard}" for guard in ("", "+test-then-fix")]
    write_digits(out, {f"{kernel}/regime-{i}-of-many/{scalar}": (i / 3, i / 4) for kernel in kernels for i in range(25)
                       for scalar in ("float", "vulkan", "half")})


def folders():
    real = os.environ.get("SKINLIGHT_OUT")
    return ["made up"] + ([real] if real else [])


@pytest.mark.parametrize("folder", folders())
def test_page_in_chromium(folder, tmp_path):
    assert CHROMIUM, "no chromium: ci/web.sh installs it"
    if folder == "made up":
        folder = tmp_path / "out"
        folder.mkdir()
        made_up(folder)
        assert subprocess.run([sys.executable, "-B", str(SCRIPT), str(folder)], capture_output=True).returncode == 0
    seen, console = look(folder, tmp_path)
    assert "error" not in seen, seen
    for width, at in seen["widths"].items():
        assert at["folded"]["over"] <= 0 and at["over"] <= 0 and at["all"], (width, at)
    assert seen["widths"]["1440"]["folded"]["height"] <= MOST_SCREENS * SCREEN
    needed = {Path(folder) / urllib.parse.urlsplit(address).path.lstrip("/") for address in seen["needed"]}
    assert 10_000 < sum(path.stat().st_size for path in needed) < MOST_BYTES
    assert seen["loaded"] and seen["early"] == 0
    assert min(seen["figures"]) > LEAST_WIDTH
    assert seen["claim"] == {"before": False, "stays": True, "shown": True, "seen": True, "focused": True}
    assert seen["large"] == {"open": True, "source": seen["large"]["link"], "link": seen["large"]["link"]}
    assert seen["closed"] and not seen["before"] and seen["after"] and seen["top"]
    assert seen["broken"] == [] and console == []


# Runs inside the page itself, opened from the disk. Without a screen frames come when they like, so what is watched for is
# told where it would be too late to wait until it is seen.
WATCH = """<script>
const watched = [], observe = IntersectionObserver.prototype.observe;
IntersectionObserver.prototype.observe = function (part) { watched.push(part); observe.call(this, part); };
</script></head>"""
LIVE_PROBE = """<pre id="seen"></pre><script>
const wait = ms => new Promise(done => setTimeout(done, ms));
async function look() {
  const place = document.querySelector(".live"), seen = {};
  for (let i = 0; i < 100 && !(place.querySelector("canvas") && place.querySelector("canvas").width > 300); ++i) await wait(50);
  seen.shown = !place.hidden;
  seen.still = !place.nextElementSibling.hidden;
  const canvas = place.querySelector("canvas");
  if (canvas) {
    const [wipe, pose] = place.querySelectorAll("input");
    const picture = (input, value) => { input.value = value; input.dispatchEvent(new Event("input")); return canvas.toDataURL(); };
    picture(pose, 1);
    const standard = picture(wipe, 1), better = picture(wipe, 0), flat = picture(pose, 0), flatStandard = picture(wipe, 1);
    Object.assign(seen, {differ: standard !== better, moves: flat !== better, flat: flat === flatStandard, drawn: flat.length > 3000,
      names: place.querySelector("p").innerText});
  }
  // What is unfolded comes from the disk, too, and its view is watched for, as that on top is.
  location.hash = "#tarini2014-fig2_pill.standard_rms_96";
  const claim = () => document.getElementById("tarini2014-fig2_pill.standard_rms_96");
  for (let i = 0; i < 100 && !claim(); ++i) await wait(50);
  seen.claim = !!claim();
  seen.unfolded = watched.some(part => part.closest(".body"));
  document.getElementById("seen").textContent = JSON.stringify(seen);
}
look().catch(error => { document.getElementById("seen").textContent = JSON.stringify({error: String(error)}); });
</script></body>"""


@pytest.mark.parametrize("graphics", (True, False))
def test_live_figure_from_the_disk(graphics, tmp_path):
    folder = write_pill(tmp_path / "out", outputs=[*make_run()["outputs"], LIVE])
    write_live(folder)
    matplotlib.image.imsave(folder / "figure.png", numpy.linspace(0, 1, 400 * 300 * 3).reshape(300, 400, 3))
    assert subprocess.run([sys.executable, "-B", str(SCRIPT), str(tmp_path / "out")], capture_output=True).returncode == 0
    page = tmp_path / "out" / "index.html"
    page.write_text(page.read_text(encoding="utf-8").replace("</head>", WATCH).replace("</body>", LIVE_PROBE),
                    encoding="utf-8")
    flags = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] if graphics else ["--disable-3d-apis", "--disable-gpu"]
    result = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", *flags, "--no-first-run", "--disable-background-networking",
         f"--user-data-dir={tmp_path / 'profile'}", "--window-size=1440,900", "--enable-logging=stderr",
         "--virtual-time-budget=20000", "--dump-dom", page.as_uri()], capture_output=True, text=True, encoding="utf-8", timeout=120)
    text = result.stdout.partition('<pre id="seen">')[2].partition("</pre>")[0]
    assert text, result.stderr[-2000:]
    seen = json.loads(html.unescape(text))
    assert [line for line in result.stderr.splitlines() if "CONSOLE" in line] == []
    if graphics:
        # Flat, both kinds of normals are the same; bent, they are not.
        assert "deform factors" in seen.pop("names")
        assert seen == {"shown": True, "still": False, "differ": True, "moves": True, "flat": True, "drawn": True,
                        "claim": True, "unfolded": True}
    else:
        assert seen == {"shown": False, "still": True, "claim": True, "unfolded": True}


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", __file__, *sys.argv[1:]]))
