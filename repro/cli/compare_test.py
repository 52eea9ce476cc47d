"""`skinlight compare` as a person or a CI meets it: a strip whose errors are known by geometry, and what is told of
them in the table, as JSON, as CSV, as a plot and as an exit code."""

import csv
import json
import math
import os
import re
import struct
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest

PROGRAM = os.environ["SKINLIGHT"]
ROWS = 5  # of two vertices each, at y = 0, 1, ...
DEGREES = 1e-4  # files hold 32-bit floats
DRAWN = 0.02  # pixels: coordinates have two decimals
SVG = "{http://www.w3.org/2000/svg}"


def run(*arguments):
    return subprocess.run([PROGRAM, "compare", *map(str, arguments)], capture_output=True, text=True, timeout=300)


def error_line(result):
    lines = [line for line in result.stderr.splitlines() if line.startswith("skinlight: ")]
    assert len(lines) == 1, result.stderr
    return lines[0]


class File:
    """A glTF file with its data inside."""

    def __init__(self):
        self.bytes, self.views, self.accessors = b"", [], []

    def add(self, kind, component, numbers):
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[kind]
        code = {5121: "B", 5123: "H", 5126: "f"}[component]
        data = struct.pack(f"<{len(numbers)}{code}", *numbers)
        self.views.append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data)})
        self.bytes += data + bytes(-len(data) % 4)
        rows = [numbers[i:i + width] for i in range(0, len(numbers), width)]
        self.accessors.append({"bufferView": len(self.views) - 1, "componentType": component, "type": kind,
                               "count": len(rows), "min": list(map(min, zip(*rows))), "max": list(map(max, zip(*rows)))})
        return len(self.accessors) - 1


def turn(degrees):
    """About y, as a quaternion."""
    return [0, math.sin(math.radians(degrees) / 2), 0, math.cos(math.radians(degrees) / 2)]


def strip(folder, weights=None, clips=(("Lift", "translation", 1.0),), morph=False, name="strip", tilted=False,
          start=0, root=0, loose=False):
    """A flat strip along y. `weights`: of the bone "tip" in each row. Clips of 2 s from `start` on: (name, path, how far), where the
    tip moves along z, grows along x or turns about y (degrees), is flat along x throughout ("flat"), or the morph target lifts each row by its y. `root`:
    degrees about y by which the other bone is turned throughout. Tilted: with normals that lean
    out of its plane, which the transported truth keeps and the recomputed one forgets; `loose`: with a vertex at the end, in no
    triangle, whose normal points the other way."""
    weights = weights or [row / (ROWS - 1) for row in range(ROWS)]
    file = File()
    positions = [c for row in range(ROWS) for x in (0, 1) for c in (x, row, 0)]
    joints = [0, 1, 0, 0] * (2 * ROWS)
    shares = [c for w in weights for _ in (0, 1) for c in (1 - w, w, 0, 0)]
    if loose:
        positions += [0.5, 0.5, 0]
        joints += [0, 1, 0, 0]
        shares += [1, 0, 0, 0]
    faces = [c for row in range(ROWS - 1) for c in (2 * row, 2 * row + 1, 2 * row + 3, 2 * row, 2 * row + 3, 2 * row + 2)]
    primitive = {"attributes": {"POSITION": file.add("VEC3", 5126, positions), "JOINTS_0": file.add("VEC4", 5121, joints),
                                "WEIGHTS_0": file.add("VEC4", 5126, shares)},
                 "indices": file.add("SCALAR", 5123, faces)}
    if tilted:
        primitive["attributes"]["NORMAL"] = file.add("VEC3", 5126, [0.6, 0, 0.8] * (2 * ROWS) + loose * [-0.6, 0, -0.8])
    if morph:
        lift = [c for row in range(ROWS) for _ in (0, 1) for c in (0, 0, row)]
        primitive["targets"] = [{"POSITION": file.add("VEC3", 5126, lift)}]
    animations = []
    for clip, path, far in clips:
        times = file.add("SCALAR", 5126, [start, start + 2])
        values = {"flat": [0, 1, 1, 0, 1, 1], "translation": [0, 0, 0, 0, 0, far], "scale": [1, 1, 1, far, 1, 1], "weights": [0, far],
                  "rotation": turn(0) + turn(far)}[path]
        kind = {"weights": "SCALAR", "rotation": "VEC4"}.get(path, "VEC3")
        path = "scale" if path == "flat" else path
        animations.append({"name": clip,
                           "samplers": [{"input": times,
                                         "output": file.add(kind, 5126, values)}],
                           "channels": [{"sampler": 0, "target": {"node": 0 if path == "weights" else 2, "path": path}}]})
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1, 2]}],
        "nodes": [{"mesh": 0, "skin": 0}, {"name": "root", "rotation": turn(root)}, {"name": "tip"}],
        "skins": [{"joints": [1, 2]}], "meshes": [{"primitives": [primitive]}],
        "buffers": [{"uri": "data.bin", "byteLength": len(file.bytes)}],
        "bufferViews": file.views, "accessors": file.accessors,
    }
    if animations:
        document["animations"] = animations
    folder.mkdir(exist_ok=True)
    (folder / "data.bin").write_bytes(file.bytes)
    (folder / f"{name}.gltf").write_text(json.dumps(document))
    return folder / f"{name}.gltf"


def slope(height):
    """Degrees that a strip stands off its rest plane when each row is higher by `height` than the one before."""
    return math.degrees(math.atan(height))


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_csv_has_every_frame_with_the_error_that_geometry_gives(tmp_path):
    result = run(strip(tmp_path / "m", clips=[("Lift, high", "translation", 2.0), ("Stay", "translation", 0.0)]),
                 "--frames", 5, "--normals", "standard,deform", "--csv", tmp_path / "e.csv")
    assert result.returncode == 0, result.stderr
    rows = rows_of(tmp_path / "e.csv")
    keys = [(r["clip"], int(r["frame"]), r["way"], r["truth"]) for r in rows]
    assert keys == [(clip, frame, way, truth) for clip in ("Lift, high", "Stay") for frame in range(5)
                    for way in ("standard", "deform") for truth in ("transported", "recomputed")]
    for r in rows:
        assert float(r["seconds"]) == pytest.approx(int(r["frame"]) / 2)
        # Bones move without turning, so standard normals stay where they are while the strip tilts as a whole.
        moved = r["clip"] != "Stay" and r["way"] == "standard"
        expected = slope(int(r["frame"]) / 4 * 2.0 / (ROWS - 1)) if moved else 0
        for number in ("mean_deg", "rms_deg", "p95_deg", "max_deg"):
            assert float(r[number]) == pytest.approx(expected, abs=DEGREES), (r, number)
        assert int(r["flips"]) == 0


def test_csv_tells_the_truths_apart(tmp_path):
    run(strip(tmp_path / "m", clips=[], tilted=True), "--normals", "standard", "--csv", tmp_path / "e.csv")
    means = {r["truth"]: float(r["mean_deg"]) for r in rows_of(tmp_path / "e.csv")}
    assert means == pytest.approx({"transported": 0, "recomputed": math.degrees(math.atan2(0.6, 0.8))}, abs=DEGREES)


def test_worst_frame_and_vertex_are_told_with_the_bone_that_holds_it(tmp_path):
    # Only the last row is on the tip, by more than half: its faces alone tilt, the row before it is half flat.
    model = strip(tmp_path / "m", weights=[0, 0, 0, 0, 0.75])
    result = run(model, "--frames", 3, "--normals", "standard", "--json", tmp_path / "e.json", "--csv", tmp_path / "e.csv")
    line = next(l for l in result.stdout.splitlines() if l.split()[:2] == ["standard", "transported"])
    assert line.endswith("8 on tip, 2.00 s") and "2.00 s (" in line, line
    error = json.loads((tmp_path / "e.json").read_text())["clips"][0]["errors"][0]
    assert error["worst_vertex"] == {"index": 8, "name": "mesh 0 primitive 0 vertex 8",
                                     "bone": {"index": 1, "name": "tip", "weight": 0.75}}
    assert (error["worst_vertex_frame"], error["worst_vertex_seconds"]) == (2, 2)
    assert (error["worst_frame"], error["worst_frame_seconds"]) == (2, 2)
    assert error["max_deg"] == pytest.approx(slope(0.75), abs=DEGREES) and error["mean_deg"] < error["worst_frame_mean_deg"]
    last = next(r for r in rows_of(tmp_path / "e.csv") if (r["frame"], r["truth"]) == ("2", "transported"))
    assert (last["worst_vertex"], last["worst_bone"]) == ("8", "tip")
    assert float(last["mean_deg"]) == pytest.approx(error["worst_frame_mean_deg"], abs=DEGREES)


def value_at(panel, axis, pixel):
    """What an axis shows at a pixel, by its ticks alone."""
    ticks = [t for t in panel.iter(SVG + "text") if t.get("class") == f"{axis} tick"]
    shift = 4 if axis == "y" else 0  # of a label below its line
    (p0, v0), (p1, v1) = [(float(t.get(axis)) - shift, float(t.text)) for t in (ticks[0], ticks[-1])]
    return v0 + (pixel - p0) * (v1 - v0) / (p1 - p0), abs((v1 - v0) / (p1 - p0))


def axis_of(panel):
    """Where the axis of x begins and ends."""
    start, _, length = re.fullmatch(r"M([\d.]+) [\d.]+v([\d.]+)h([\d.]+)", panel.find(SVG + "path").get("d")).groups()
    return float(start), float(start) + float(length)


def test_plot_shows_the_means_of_the_csv(tmp_path):
    hostile = 'Walk <&"> \u00e9\u0001'
    model = strip(tmp_path / "m", [0, 0, 0.2, 0.3, 1], [("Lift", "translation", 3.0), (hostile, "translation", 0.5)],
                  tilted=True)
    result = run(model, "--frames", 6, "--normals", "standard,deform,deform+joint", "--csv", tmp_path / "e.csv",
                 "--plot", tmp_path / "e.svg")
    assert result.returncode == 0, result.stderr
    rows = rows_of(tmp_path / "e.csv")
    root = ElementTree.parse(tmp_path / "e.svg").getroot()
    texts = [t.text for t in root.iter(SVG + "text")]
    assert {"Error of skinned normals over time: strip", "standard", "deform", "deform+joint", "seconds", "degrees"} <= set(texts)
    panels = list(root.iter(SVG + "g"))
    shown = hostile.replace("\u0001", " ")
    assert [p.find(SVG + "title").text for p in panels] == [
        f"{clip}, against the {truth} truth" for clip in ("Lift", shown) for truth in ("transported", "recomputed")]
    for panel, (clip, truth) in zip(panels, [(c, t) for c in ("Lift", hostile) for t in ("transported", "recomputed")]):
        lines = list(panel.iter(SVG + "polyline"))
        assert [line.find(SVG + "title").text for line in lines] == ["standard", "deform", "deform+joint"]
        assert [line.get("stroke-dasharray") is not None for line in lines] == [False, False, True]
        assert len({line.get("stroke") for line in lines}) == 3
        for line in lines:
            way = line.find(SVG + "title").text
            expected = [(float(r["seconds"]), float(r["mean_deg"])) for r in rows
                        if (r["clip"].rstrip(), r["truth"], r["way"]) == (clip.rstrip(), truth, way)]
            points = [tuple(map(float, p.split(","))) for p in line.get("points").split()]
            assert len(points) == len(expected) == 6
            for (x, y), (seconds, mean) in zip(points, expected):
                for axis, pixel, value in (("x", x, seconds), ("y", y, mean)):
                    drawn, per_pixel = value_at(panel, axis, pixel)
                    # Ticks are placed to a tenth of a pixel.
                    assert drawn == pytest.approx(value, abs=per_pixel * (DRAWN + 0.2))
            # Later is further right, up to the end of the axis; more is higher.
            left, right = axis_of(panel)
            assert points[0][0] == pytest.approx(left, abs=0.1) and points[-1][0] == pytest.approx(right, abs=0.1)
            assert all((y < points[0][1]) == (mean > expected[0][1]) for (_, y), (_, mean) in zip(points, expected)
                       if abs(mean - expected[0][1]) > 1)
    width, height = float(root.get("width")), float(root.get("height"))
    for text in root.iter(SVG + "text"):
        if text.get("x"):
            assert 0 <= float(text.get("x")) <= width and 0 <= float(text.get("y")) <= height


def test_plot_of_a_single_frame_has_dots(tmp_path):
    assert run(strip(tmp_path / "m", clips=[]), "--normals", "standard", "--plot", tmp_path / "e.svg").returncode == 0
    root = ElementTree.parse(tmp_path / "e.svg").getroot()
    assert len(list(root.iter(SVG + "circle"))) == 2 and not list(root.iter(SVG + "polyline"))


def test_fail_above_looks_at_the_first_normals_in_their_worst_clip(tmp_path):
    # The means over the frames 0, 1/2, 1 of each clip.
    model = strip(tmp_path / "m", clips=[("Low", "translation", 0.5), ("High", "translation", 2.0), ("Flat", "translation", 0.0)])
    mean = (slope(0.25) + slope(0.5)) / 3
    for normals, limit, code, verdict in (("standard,deform", mean + 0.01, 0, "passed: standard, clip High"),
                                          ("standard,deform", mean - 0.01, 1, "FAILED: standard, clip High"),
                                          ("deform,standard", mean - 0.01, 0, "passed: deform")):
        result = run(model, "--frames", 3, "--normals", normals, "--fail-above", limit)
        assert result.returncode == code, result.stdout
        assert result.stdout.splitlines()[-1].startswith(verdict)
    assert run(model, "--frames", 3, "--clip", "Low", "--fail-above", mean - 0.01, "--normals", "standard").returncode == 0


def test_fail_above_trusts_the_transported_truth(tmp_path):
    model = strip(tmp_path / "m", tilted=True)
    arguments = [model, "--frames", 3, "--normals", "standard"]
    assert run(*arguments, "--json", tmp_path / "e.json").returncode == 0
    transported, recomputed = [e["mean_deg"] for e in json.loads((tmp_path / "e.json").read_text())["clips"][0]["errors"]]
    assert recomputed > transported + 10
    assert run(*arguments, "--fail-above", transported + 0.001).returncode == 0
    assert run(*arguments, "--fail-above", transported - 0.001).returncode == 1


def test_morph_targets_move_as_the_clip_says(tmp_path):
    model = strip(tmp_path / "m", morph=True, clips=[("Tilt", "weights", 1.0)])
    result = run(model, "--frames", 3, "--normals", "standard,deform,tangent-pair", "--csv", tmp_path / "e.csv", "--json", tmp_path / "e.json")
    assert result.returncode == 0, result.stderr
    assert "morph targets: 1" in result.stdout
    rows = rows_of(tmp_path / "e.csv")
    assert {r["frame"] for r in rows} == {"0", "1", "2"}
    for r in rows:
        if r["way"] != "tangent-pair":
            expected = slope(int(r["frame"]) / 2) if r["way"] == "standard" else 0
            assert float(r["mean_deg"]) == pytest.approx(expected, abs=DEGREES), r
    document = json.loads((tmp_path / "e.json").read_text())
    assert document["morph_targets"] == 1
    assert any("tangent-pair" in w["element"] and "rest shape" in w["reason"] for w in document["warnings"])
    assert "morph targets" not in run(strip(tmp_path / "n")).stdout


def test_vertices_without_area_have_no_error(tmp_path):
    numbers = {}
    for loose in (False, True):
        model = strip(tmp_path / "m", tilted=True, loose=loose)
        result = run(model, "--frames", 3, "--normals", "standard,deform", "--csv", tmp_path / "e.csv", "--json", tmp_path / "e.json")
        assert result.returncode == 0, result.stderr
        errors = json.loads((tmp_path / "e.json").read_text())["clips"][0]["errors"]
        numbers[loose] = (rows_of(tmp_path / "e.csv"), errors, result.stdout.split("\n\n", 1)[1])
        assert all(e["flips"] == 0 and e["max_deg"] < 90 and e["worst_vertex"]["index"] < 2 * ROWS for e in errors)
    assert numbers[False] == numbers[True]


def test_frames_without_area_do_not_count(tmp_path):
    """The whole strip moves with the tip, which becomes flat along x: a line at the end of the clip, in the last of three frames."""
    clips = [("Vanish", "scale", 0.0), ("Gone", "flat", 0.0), ("Turn", "rotation", 60.0)]
    model = strip(tmp_path / "m", weights=[1] * ROWS, clips=clips, tilted=True)
    result = run(model, "--frames", 3, "--normals", "standard", "--csv", tmp_path / "e.csv", "--json", tmp_path / "e.json",
                 "--plot", tmp_path / "e.svg")
    assert result.returncode == 0, result.stderr
    document = json.loads((tmp_path / "e.json").read_text())
    vanish, turn_ = document["clips"]
    assert [vanish["clip"], turn_["clip"]] == ["Vanish", "Turn"] and document["unmeasured_clips"] == ["Gone"]
    assert (vanish["frames"], vanish["frames_without_area"], turn_["frames_without_area"]) == (3, 1, 0)
    told = {w["element"]: w["count"] for w in document["warnings"] if "no area" in w["reason"]}
    assert told == {"clip Vanish": 1, "clip Gone": 3}
    assert "clip Gone" in result.stderr and "clip Vanish" in result.stderr
    # T = diag(1/2, 1, 1) after 1 s: T n0 of (.6, 0, .8) lies below its own cofactors' (.6, 0, .4).
    off = math.degrees(math.atan2(.6, .4) - math.atan2(.3, .8))
    rows = [r for r in rows_of(tmp_path / "e.csv") if r["clip"] == "Vanish" and r["truth"] == "transported"]
    assert [r["mean_deg"] for r in rows][2] == "" and rows[2]["worst_vertex"] == "" and rows[2]["worst_bone"] == ""
    assert [float(r["mean_deg"]) for r in rows[:2]] == pytest.approx([0, off], abs=DEGREES)
    error = vanish["errors"][0]
    assert error["mean_deg"] == pytest.approx(off / 2, abs=DEGREES)
    assert (error["worst_frame"], error["worst_vertex_frame"]) == (1, 1)
    assert not [r for r in rows_of(tmp_path / "e.csv") if r["clip"] == "Gone"]
    alone = run(model, "--clip", "Gone", "--normals", "standard")
    assert alone.returncode == 2 and "clip 'Gone'" in alone.stderr and "no area" in alone.stderr


def test_normals_that_do_not_follow_morph_targets_are_named(tmp_path):
    model = strip(tmp_path / "m", morph=True, clips=[("Tilt", "weights", 1.0)])
    listed = re.findall(r"^  ([a-z-]+) .* lbs", run("--help").stdout.split("Methods (")[0], re.MULTILINE)
    assert {"standard", "deform", "tangent-pair"} <= set(listed)
    result = run(model, "--frames", 2, "--normals", ",".join(listed), "--json", tmp_path / "e.json")
    assert result.returncode == 0, result.stderr
    document = json.loads((tmp_path / "e.json").read_text())
    named = " ".join(w["element"] for w in document["warnings"])
    wrong = {e["way"] for e in document["clips"][0]["errors"] if e["mean_deg"] > DEGREES}
    assert "standard" in wrong
    for way in wrong - {"standard"}:
        assert f"'{way}'" in named


def methods():
    lines = run("--help").stdout.split("Methods (--method):\n")[1].splitlines()
    return [line.split()[0] for line in lines if line.startswith("  ") and "skinlight" not in line]


def test_every_method_has_its_usual_ways(tmp_path):
    model = strip(tmp_path / "m")
    assert {"lbs", "dqs", "crs", "sbs", "log"} <= set(methods())
    for method in methods():
        result = run(model, "--method", method, "--frames", 2, "--json", tmp_path / "e.json")
        assert result.returncode == 0, result.stderr
        document = json.loads((tmp_path / "e.json").read_text())
        ways = list(dict.fromkeys(e["way"] for e in document["clips"][0]["errors"]))
        best = "deform" if method == "lbs" else "exact"
        assert document["method"] == method and ways[0] == "standard"
        assert ways.index(best) + 1 == ways.index(best + "+test-then-fix")
        means = {e["way"]: e["mean_deg"] for e in document["clips"][0]["errors"] if e["truth"] == "transported"}
        assert means[best] < 0.1 * means["standard"]


def test_bones_that_a_method_has_to_change_are_told(tmp_path):
    model = strip(tmp_path / "m", clips=[("Grow", "scale", 3.0)])
    result = run(model, "--method", "dqs", "--frames", 3, "--json", tmp_path / "e.json")
    assert result.returncode == 0 and result.stderr.count("clip Grow") == 2  # one is the progress
    assert any("clip Grow" in w["element"] for w in json.loads((tmp_path / "e.json").read_text())["warnings"])
    assert "warning: " + str(model) + ": clip" not in run(model, "--frames", 3).stderr


def test_bones_that_log_matrix_blending_tears_apart_are_told(tmp_path):
    model = strip(tmp_path / "m", clips=[("Spin", "rotation", 179.0), ("Turn back", "rotation", -170.0)], root=170)
    result = run(model, "--method", "log", "--frames", 2, "--json", tmp_path / "e.json")
    assert result.returncode == 0, result.stderr
    told = [w for w in json.loads((tmp_path / "e.json").read_text())["warnings"] if "tears" in w["reason"]]
    assert [w["element"] for w in told] == ["clip Turn back, bones 'root' and 'tip'"]
    assert "have logarithms 340 degrees apart: log-matrix blending tears the surface" in told[0]["reason"]
    assert told[0]["count"] == 2 * (ROWS - 2)
    assert result.stderr.count("tears the surface") == 1
    for method in methods():
        if method != "log":
            assert "tears the surface" not in run(model, "--method", method, "--frames", 2).stderr
        baked = subprocess.run([PROGRAM, "bake", model, "-o", tmp_path / f"{method}.gltf", "--method", method],
                               capture_output=True, text=True, timeout=300)
        assert baked.returncode == 0, baked.stderr
        assert ("tears the surface" in baked.stderr) == (method == "log")


def test_bake_refuses_deform_frames_of_methods_without(tmp_path):
    baked = subprocess.run([PROGRAM, "bake", strip(tmp_path / "m"), "-o", tmp_path / "out.gltf", "--method", "dib",
                            "--normals", "deform-frames"], capture_output=True, text=True, timeout=300)
    assert baked.returncode == 2 and not (tmp_path / "out.gltf").exists()
    assert "skinning method 'dib': has no normal mode 'deform-frames'; choose one of standard, exact, smoothed" in error_line(baked)


def test_blends_that_cross_a_mirror_are_told(tmp_path):
    model = strip(tmp_path / "m", clips=[("Turn inside out", "scale", -3.0)])
    said = f"is blended from bones that mirror and bones that do not ({2 * (ROWS - 2)})"  # rows that both bones hold
    assert said in run(model, "--frames", 2).stderr
    assert said not in run(strip(tmp_path / "n", clips=[("Grow", "scale", 3.0)]), "--frames", 2).stderr


@pytest.mark.parametrize("arguments, words", [
    (["--normals", "crayon"], ["normal mode 'crayon'", "standard"]),
    (["--normals", "deform+crayon"], ["guard 'crayon'", "test-then-fix"]),
    (["--normals", "exact"], ["'lbs'", "'exact'", "deform"]),
    (["--method", "dqs", "--normals", "cofactors"], ["'dqs'", "'cofactors'"]),
    (["--normals", "standard+joint"], ["standard+joint", "guards do not act"]),
    (["--method", "dqs", "--normals", "deform+joint"], ["deform+joint", "guards do not act"]),
    (["--method", "dqs", "--normals", "deform-frames+test-then-fix"], ["guards do not act", "where the triangles do"]),
    (["--normals", "standard,deform,standard"], ["standard", "twice"]),
    (["--renderer", "crayon"], ["crayon", "osmesa"]),
    (["--csv", "same", "--plot", "./same"], ["same", "two outputs"]),
])
def test_what_makes_no_sense_is_told_before_any_work(tmp_path, arguments, words):
    result = run(tmp_path / "not read.gltf", *arguments)
    assert result.returncode == 2 and "not read" not in result.stderr
    for word in words:
        assert word in error_line(result)


@pytest.mark.parametrize("arguments", [["--normals", "standard", "--guard", "joint"], ["--method", "crayon"],
                                       ["--fail-above", "-1"], ["--fail-above", "much"]])
def test_wrong_command_lines_name_what_is_wrong(tmp_path, arguments):
    result = run(strip(tmp_path / "m"), *arguments)
    assert result.returncode == 2 and result.stderr.endswith("(skinlight compare --help)\n")


@pytest.mark.parametrize("flag", ["--json", "--csv", "--plot", "--render"])
def test_the_input_is_never_overwritten(tmp_path, flag):
    model = strip(tmp_path / "m")
    before = model.read_bytes()
    result = run(model, flag, tmp_path / "m" / ".." / "m" / "strip.gltf")
    assert result.returncode == 2 and "is the input" in error_line(result)
    assert model.read_bytes() == before and sorted(p.name for p in model.parent.iterdir()) == ["data.bin", "strip.gltf"]


def test_pictures_have_names_of_their_own_and_room_for_every_way(tmp_path):
    model = strip(tmp_path / "m", clips=[("a b", "translation", 1.0), ("a_b", "translation", 1.0)])
    size = {}
    for normals in ("standard", "standard,deform"):
        folder = tmp_path / normals
        assert run(model, "--frames", 2, "--normals", normals, "--render", folder, "--renderer", "llvmpipe").returncode == 0
        assert sorted(p.name for p in folder.iterdir()) == ["strip_a_b.png", "strip_a_b_2.png"]
        data = (folder / "strip_a_b.png").read_bytes()
        assert data.startswith(b"\x89PNG")
        size[normals] = struct.unpack(">2I", data[16:24])
    assert size["standard,deform"][0] > size["standard"][0] and size["standard,deform"][1] == size["standard"][1]


def test_dead_time_before_the_first_key_is_not_measured(tmp_path):
    """Keys that start at 10 s: the same numbers as of keys that start at 0."""
    measured = []
    for start in (0, 10):
        assert run(strip(tmp_path / f"m{start}", start=start), "--frames", 5, "--csv", tmp_path / "e.csv").returncode == 0
        rows = rows_of(tmp_path / "e.csv")
        assert [float(r["seconds"]) for r in rows if r["way"] == "standard" and r["truth"] == "recomputed"] == [
            start + t for t in (0, .5, 1, 1.5, 2)]
        measured.append([(r["way"], float(r["mean_deg"])) for r in rows])
    assert all(a[0] == b[0] and a[1] == pytest.approx(b[1], abs=DEGREES) for a, b in zip(*measured))
    assert max(mean for _, mean in measured[1]) > 5


def test_the_last_words_are_the_verdict_and_what_to_run(tmp_path):
    model = strip(tmp_path / "m")
    result = run(model, "--json", tmp_path / "c.json")
    *_, sentence, command = result.stdout.splitlines()
    document = json.loads((tmp_path / "c.json").read_text())
    mean = {e["way"]: e["mean_deg"] for e in document["clips"][0]["errors"] if e["truth"] == "transported"}
    verdict = document["verdict"]
    assert sentence == verdict["sentence"] and command == "Next: " + verdict["next"]
    assert verdict["standard_mean_deg"] == pytest.approx(mean["standard"])
    assert verdict["recommended"] != "standard" and verdict["mean_deg"] == pytest.approx(mean[verdict["recommended"]])
    assert f"from {mean['standard']:.2f} (standard) to {verdict['mean_deg']:.2f} degrees" in sentence
    # The command runs, and its result is measured by bake as it was here.
    baked = subprocess.run([PROGRAM, *verdict["next"].split()[1:]], capture_output=True, text=True)
    assert baked.returncode == 0 and (tmp_path / "m/strip_baked.gltf").exists(), baked.stderr
    assert re.search(rf"^> {verdict['recommended']} +{verdict['mean_deg']:.2f}$", baked.stdout, re.M)

    still = run(strip(tmp_path / "still", clips=[("Stay", "translation", 0.0)]))
    assert still.stdout.splitlines()[-2].startswith("Standard normals will do: they are off by 0.00 degrees")
    assert still.stdout.splitlines()[-1] == f"Next: skinlight check {tmp_path}/still/strip.gltf"
    # Without standard normals among those measured there is nothing to say.
    assert "Next:" not in run(model, "--normals", "deform").stdout


def test_influences_are_kept_as_bake_keeps_them(tmp_path):
    """Six bones of which the last two carry a third of the weight: only with 8 are they there."""
    model = six_influences(tmp_path / "m")
    for arguments, slots, dropped in (([], 4, True), (["--influences", 4], 4, True), (["--influences", 8], 8, False)):
        result = run(model, "--json", tmp_path / "c.json", *arguments)
        assert result.returncode == 0, result.stderr
        document = json.loads((tmp_path / "c.json").read_text())
        assert document["deform_factors"]["slots"] == slots
        assert ("the weakest were dropped" in result.stderr) == dropped
        assert document["verdict"]["next"].endswith("--influences 8") == (slots == 8)
    assert run(model, "--influences", 5).returncode == 2


def six_influences(folder):
    model = strip(folder)
    document = json.loads(model.read_text())
    primitive = document["meshes"][0]["primitives"][0]["attributes"]
    vertices = 2 * ROWS
    data = (folder / "data.bin").read_bytes()
    for name, code, component, values in (("JOINTS_0", "B", 5121, [0, 1, 2, 3]), ("JOINTS_1", "B", 5121, [4, 5, 0, 0]),
                                          ("WEIGHTS_0", "f", 5126, [1 / 6] * 4), ("WEIGHTS_1", "f", 5126, [1 / 6] * 2 + [0] * 2)):
        part = struct.pack(f"<{4 * vertices}{code}", *(values * vertices))
        data += bytes(-len(data) % 4)
        document["bufferViews"].append({"buffer": 0, "byteOffset": len(data), "byteLength": len(part)})
        document["accessors"].append({"bufferView": len(document["bufferViews"]) - 1, "componentType": component,
                                      "type": "VEC4", "count": vertices})
        primitive[name] = len(document["accessors"]) - 1
        data += part
    for bone in range(4):
        document["nodes"].append({"name": f"bone {bone}"})
        document["skins"][0]["joints"].append(len(document["nodes"]) - 1)
    document["buffers"][0]["byteLength"] = len(data)
    (folder / "data.bin").write_bytes(data)
    model.write_text(json.dumps(document))
    return model
