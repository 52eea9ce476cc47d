"""`skinlight bake` as a person meets it, and its results before the judge of the format: the Khronos validator."""

import base64
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import struct
import subprocess
import tempfile

import pytest

from compare_test import ROWS, strip

PROGRAM = os.environ["SKINLIGHT"]
SOURCE = pathlib.Path(__file__).resolve().parents[2]
MODELS = pathlib.Path(os.environ.get("SKINLIGHT_MODELS", SOURCE.parent / "shared" / "models"))


def bake(*arguments, **options):
    return subprocess.run([PROGRAM, "bake", *map(str, arguments)], capture_output=True, text=True, timeout=300, **options)


def error_line(result):
    lines = [line for line in result.stderr.splitlines() if line.startswith("skinlight: ")]
    assert result.returncode == 2 and len(lines) == 1, result.stderr
    return lines[0]


def models():
    if not MODELS.is_dir():
        if os.environ.get("SKINLIGHT_REQUIRE_MODELS") == "1":
            pytest.fail(f"no models at {MODELS}")
        pytest.skip(f"no models at {MODELS}")
    return sorted(path for path in MODELS.rglob("*") if path.suffix in {".gltf", ".glb"})


def validate(paths):
    """The validator's reports by path: sets of error and warning codes."""
    result = subprocess.run(["node", pathlib.Path(__file__).with_name("validate_gltf.js"), *map(str, paths)],
                            capture_output=True, text=True, timeout=300)
    if "Cannot find module 'gltf-validator'" in result.stderr:
        pytest.fail("the npm package gltf-validator is missing; ci/setup.sh installs it into build/node")
    assert result.returncode == 0, result.stderr
    return {pathlib.Path(r["file"]): r for r in json.loads(result.stdout)}


def codes(issues):
    return {issue["code"] for issue in issues}


def pill(folder, name="model.gltf"):
    """A strip of four triangles bent by two bones, with its buffer beside it."""
    positions = [c for y in range(3) for x in range(2) for c in (x, y, 0.1 * y * y)]
    weights = [w for y in range(3) for _ in range(2) for w in (1 - y / 2, y / 2, 0, 0)]
    data = struct.pack("<18f", *positions) + bytes([0, 1, 0, 0] * 6) + struct.pack("<24f", *weights)
    data += struct.pack("<12H", 0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5)
    sizes, offset, views = [72, 24, 96, 24], 0, []
    for size in sizes:
        views.append({"buffer": 0, "byteOffset": offset, "byteLength": size})
        offset += size
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0, "skin": 0}, {"name": "root", "children": [2]}, {"name": "tip", "translation": [0, 1, 0]}],
        "skins": [{"joints": [1, 2]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}, "indices": 3}]}],
        "buffers": [{"uri": "data.bin", "byteLength": len(data)}], "bufferViews": views,
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 6, "type": "VEC3", "min": [0, 0, 0], "max": [1, 2, 0.4000000059604645]},
            {"bufferView": 1, "componentType": 5121, "count": 6, "type": "VEC4"},
            {"bufferView": 2, "componentType": 5126, "count": 6, "type": "VEC4"},
            {"bufferView": 3, "componentType": 5123, "count": 12, "type": "SCALAR"},
        ],
    }
    (folder / "data.bin").write_bytes(data)
    (folder / name).write_text(json.dumps(document))
    return folder / name


def contents(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


# Zero-weight bones of the one-ring are the paper's: the validator wishes for none, as it says in a warning. A .glb has
# one binary chunk, so further buffers stay data URIs, which it does not like there.
EXPECTED_WARNINGS = {"ACCESSOR_JOINTS_USED_ZERO_WEIGHT", "DATA_URI_GLB"}


@pytest.mark.parametrize("arguments", [["--layout", "attributes", "--format", "f32"],
                                       ["--layout", "attributes", "--format", "f16"],
                                       ["--layout", "attributes", "--format", "snorm8", "--influences", "8"],
                                       ["--layout", "texcoord", "--format", "f16", "--influences", "8"],
                                       ["--layout", "texcoord", "--format", "snorm8"],
                                       ["--normals", "deform-vectors", "--format", "f32"],
                                       ["--normals", "deform-vectors", "--format", "f16", "--influences", "8"],
                                       ["--normals", "deform-vectors", "--format", "snorm8"],
                                       ["--normals", "smoothed", "--format", "snorm16"],
                                       ["--normals", "deform-frames", "--format", "snorm16"],
                                       ["--normals", "smoothed", "--format", "snorm8", "--layout", "texcoord"]], ids=" ".join)
def test_every_model_passes_the_validator(tmp_path, arguments):
    kind = {"f32": ".gltf", "snorm8": ".gltf"}.get(arguments[arguments.index("--format") + 1], ".glb")
    inputs = [path for path in models() if "gltf-validator" not in path.parts]
    before = validate(inputs)
    baked = {}
    for path in inputs:
        out = tmp_path / path.parent.name / (path.stem + kind)
        result = bake(path, "-o", out, *arguments)
        if result.returncode == 0:
            baked[path] = out
        else:
            assert codes(before[path]["errors"]), f"{path} is valid, but: {error_line(result)}"
            assert not out.exists()
    assert len(baked) >= 25
    after = validate(baked.values())
    for path, out in baked.items():
        new = codes(after[out]["errors"]) - codes(before[path]["errors"])
        assert not new, (path, after[out]["errors"][:3])
        new = codes(after[out]["warnings"]) - codes(before[path]["warnings"])
        assert new <= EXPECTED_WARNINGS, (path, new)


def test_malformed_files_of_the_validator_give_a_reason_or_a_result(tmp_path):
    paths = [path for path in models() if "gltf-validator" in path.parts]
    for path in paths:
        result = bake(path, "-o", tmp_path / "out.glb")
        assert result.returncode in (0, 2), (path, result.stderr)
        if result.returncode == 2:
            assert path.name in error_line(result)
        else:  # can be read again, and has no chunk that is empty
            assert all(size > 0 for _, size in chunks((tmp_path / "out.glb").read_bytes())), path
            again = bake(tmp_path / "out.glb", "-o", tmp_path / "again.glb", "--force")
            assert again.returncode == 0 and "already" in again.stdout, (path, again.stderr)
        (tmp_path / "out.glb").unlink(missing_ok=True)


@pytest.mark.parametrize("arguments, attributes, sizes", [([], 2, [32, 16, 16, 8]),
                                                          (["--normals", "smoothed"], 3, [48, 24, 24, 12]),
                                                          (["--normals", "deform-vectors"], 6, [96, 48, 48, 24]),
                                                          (["--normals", "deform-frames"], 7, [96, 56, 56, 32])])
def test_costs_are_printed_for_every_format_and_grow_with_fewer_bits(tmp_path, arguments, attributes, sizes):
    result = bake(pill(tmp_path), "-o", tmp_path / "out.glb", "--format", "snorm8", *arguments)
    assert result.returncode == 0, result.stderr
    rows = {m[2]: m for m in re.finditer(r"^([> ]) (\S+) +(\d+) +([\d.]+) +([\d.]+) +([\d.]+)$", result.stdout, re.M)}
    assert list(rows) == ["f32", "f16", "snorm16", "snorm8"]
    assert [rows[f][1] for f in rows] == [" ", " ", " ", ">"]
    assert [int(rows[f][3]) for f in rows] == sizes
    most = [float(rows[f][6]) for f in rows]
    assert most[0] < 1e-4 and most[3] > 0.01 and most[0] <= most[1] < most[3] and most[2] < most[3]
    assert "wrote " + str(tmp_path / "out.glb") in result.stdout
    # Position, normal, tangent, joints and weights besides, of frames with a fifth bone.
    own = 7 if "deform-frames" in arguments else 5
    assert f"{attributes} attributes more, {sizes[3]} bytes per vertex; together a vertex has up to {attributes + own} " in result.stdout
    assert "OpenGL" not in result.stderr


def test_more_attributes_than_every_gpu_has_are_a_warning(tmp_path):
    result = bake(pill(tmp_path), "-o", tmp_path / "out.glb", "--normals", "deform-vectors", "--influences", "8")
    assert result.returncode == 0 and "14 attributes more" in result.stdout
    assert "21 vertex attributes are more than the 16 that OpenGL and WebGL promise" in result.stderr


def test_vectors_do_not_fit_into_texcoords(tmp_path):
    line = error_line(bake(pill(tmp_path), "-o", tmp_path / "out.glb", "--normals", "deform-vectors", "--layout", "texcoord"))
    assert "layout texcoord" in line and "would take 12" in line and "use layout attributes" in line
    assert not (tmp_path / "out.glb").exists()


@pytest.mark.parametrize("arguments, words", [
    (["--method", "crs"], ["deform frames of crs", "16 is what every GPU takes", "deform_frames()"]),
    (["--method", "lbs"], ["deform frames of lbs", "bake deform-vectors"]),
    (["--layout", "texcoord"], ["layout texcoord", "would take 12", "use layout attributes"])])
def test_frames_that_cannot_be_baked_say_why_and_what_to_use(tmp_path, arguments, words):
    line = error_line(bake(pill(tmp_path), "-o", tmp_path / "out.glb", "--normals", "deform-frames", *arguments))
    assert all(word in line for word in words), line
    assert not (tmp_path / "out.glb").exists()


def attributes(path):
    return set(json.loads(path.read_text())["meshes"][0]["primitives"][0]["attributes"])


def test_another_kind_of_normals_takes_the_place_of_the_first(tmp_path):
    model = pill(tmp_path)
    own = {"POSITION", "NORMAL", "TANGENT", "JOINTS_0", "WEIGHTS_0"}
    factors = {"_DEFORM_ALPHA_0", "_DEFORM_BETA_0"}
    written = {"deform": factors, "smoothed": factors | {"_DEFORM_SMOOTH_0"},
               "deform-vectors": {f"_DEFORM_TAU_{t}_{s}" for t in "TB" for s in (1, 2, 3)}}
    out = tmp_path / "out.gltf"
    for kind in ["deform-vectors", "smoothed", "deform", "deform-vectors"]:
        assert bake(model, "-o", out, "--normals", kind, "--force").returncode == 0
        assert attributes(out) == own | written[kind]
        method = json.loads(out.read_text())["meshes"][0]["extras"]["skinlight"]["method"]
        assert method == {"deform": "deform-factors"}.get(kind, kind)
        again = bake(out, "-o", out, "--normals", kind, "--force")
        assert again.returncode == 0 and "already" in again.stdout
        model = out


def test_twice_is_once(tmp_path):
    bake(pill(tmp_path), "-o", tmp_path / "once.gltf")
    result = bake(tmp_path / "once.gltf", "-o", tmp_path / "twice.gltf")
    assert result.returncode == 0 and "already" in result.stdout
    assert (tmp_path / "once.gltf").read_bytes() == (tmp_path / "twice.gltf").read_bytes()
    assert bake(tmp_path / "once.gltf", "-o", tmp_path / "once.gltf", "--force").returncode == 0
    assert (tmp_path / "once.gltf").read_bytes() == (tmp_path / "twice.gltf").read_bytes()


def test_what_is_baked_already_is_copied_from_a_pipe_too(tmp_path):
    bake(pill(tmp_path), "-o", tmp_path / "once.glb")
    once = (tmp_path / "once.glb").read_bytes()
    result = subprocess.run([PROGRAM, "bake", "/dev/stdin", "-o", tmp_path / "piped.glb"], input=once, capture_output=True, timeout=300)
    assert result.returncode == 0 and b"already" in result.stdout, result.stderr
    assert (tmp_path / "piped.glb").read_bytes() == once


def edited(model, edit):
    """The .gltf file, changed by `edit`."""
    document = json.loads(model.read_text())
    edit(document)
    model.write_text(json.dumps(document))
    return model


def test_buffers_with_a_plus_in_their_name(tmp_path):
    """In a URI it stands for itself, escaped or not, unlike in a form."""
    model = pill(tmp_path)
    (tmp_path / "data.bin").rename(tmp_path / "a+b c.bin")
    (tmp_path / "out").mkdir()
    for uri in ("a+b c.bin", "a+b%20c.bin", "a%2Bb%20c.bin"):
        edited(model, lambda document: document["buffers"][0].update(uri=uri))
        result = bake(model, "-o", tmp_path / "out/model.gltf", "--force")
        assert result.returncode == 0, result.stderr
        assert (tmp_path / "out/a+b c.bin").read_bytes() == (tmp_path / "a+b c.bin").read_bytes()


def test_buffers_outside_the_files_folder_move_into_the_result(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "far/out").mkdir(parents=True)
    model = pill(tmp_path / "in")
    (tmp_path / "in/data.bin").rename(tmp_path / "up.bin")
    edited(model, lambda document: document["buffers"][0].update(uri="../up.bin"))
    for source, out in ((model, "far/out/once.gltf"), (model, "far/out/once.glb"), (tmp_path / "far/out/once.gltf", "far/twice.gltf")):
        result = bake(source, "-o", tmp_path / out)
        assert result.returncode == 0, result.stderr
        assert ("../up.bin, outside the file's folder" in result.stderr) == (source == model)
        checked = subprocess.run([PROGRAM, "check", tmp_path / out], capture_output=True, text=True, timeout=300)
        assert checked.returncode == 0, checked.stderr


def test_files_that_extensions_refer_to_are_copied(tmp_path):
    (tmp_path / "out").mkdir()
    sound = {"emitters": [{"extras": {"uri": "none.txt"}}], "clips": [{"uri": "a%20b.mp3"}, {"uri": "a%20b.mp3"}, {"uri": "lost.mp3"}]}
    model = edited(pill(tmp_path), lambda document: document.update(
        extensions={"MSFT_audio_emitter": sound}, extensionsUsed=["MSFT_audio_emitter"], extras={"uri": "data.bin"}))
    (tmp_path / "a b.mp3").write_bytes(b"sound")
    result = bake(model, "-o", tmp_path / "out/model.glb")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "out/a b.mp3").read_bytes() == b"sound"
    assert "extension MSFT_audio_emitter: refers to lost.mp3, which is not there" in result.stderr
    assert "none.txt" not in result.stderr
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["a b.mp3", "model.glb"]


def chunks(glb):
    found, at = [], 12
    while at < len(glb):
        size, kind = struct.unpack_from("<II", glb, at)
        found.append((kind.to_bytes(4, "little"), size))
        at += 8 + size
    assert at == len(glb) == struct.unpack_from("<I", glb, 8)[0]
    return found


def test_a_container_without_data_is_read_and_written_without_an_empty_chunk(tmp_path):
    """What the validator has of models without buffers is checked with the other malformed files."""
    data = "data:application/octet-stream;base64," + base64.b64encode(pill(tmp_path).with_name("data.bin").read_bytes()).decode()
    model = edited(tmp_path / "model.gltf", lambda document: document["buffers"][0].update(uri=data))
    for empty_chunk in (b"", struct.pack("<I4s", 0, b"BIN\0")):
        text = model.read_text().encode()
        text += b" " * (-len(text) % 4)
        body = struct.pack("<I4s", len(text), b"JSON") + text + empty_chunk
        glb = struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body
        (tmp_path / "in.glb").write_bytes(glb)
        result = bake(tmp_path / "in.glb", "-o", tmp_path / "out.glb", "--force")
        assert result.returncode == 0, result.stderr
        assert [kind for kind, size in chunks((tmp_path / "out.glb").read_bytes())] == [b"JSON", b"BIN\0"]


@pytest.mark.parametrize("form", ["f32", "f16", "snorm16", "snorm8"])
def test_a_record_in_texture_coordinates_is_no_place_on_a_texture(tmp_path, form):
    """The strip has none, so the record starts at TEXCOORD_0: what is found is what is found of the
    other layout."""
    def kinds(model):
        result = subprocess.run([PROGRAM, "check", str(model), "--json", "-"], capture_output=True, text=True, timeout=300)
        return {finding["kind"] for finding in json.loads(result.stdout)["findings"]}
    for layout, out in (("texcoord", "out.gltf"), ("attributes", "other.gltf")):
        assert bake(pill(tmp_path), "-o", tmp_path / out, "--layout", layout, "--format", form).returncode == 0
    assert "TEXCOORD_0" in json.loads((tmp_path / "out.gltf").read_text())["meshes"][0]["primitives"][0]["attributes"]
    assert kinds(tmp_path / "out.gltf") == kinds(tmp_path / "other.gltf")


def test_strips_are_marked_as_the_triangles_they_draw(tmp_path):
    """Readers that unroll strips sum over the same corners as those of triangles."""
    marks = []
    model = pill(tmp_path)
    for edit in (lambda primitive: None, lambda primitive: (primitive.pop("indices"), primitive.update(mode=5))):
        edited(model, lambda document: edit(document["meshes"][0]["primitives"][0]))
        assert bake(model, "-o", tmp_path / "out.gltf", "--force").returncode == 0
        marks.append(json.loads((tmp_path / "out.gltf").read_text())["meshes"][0]["primitives"][0]["extras"]["skinlight"])
    assert marks[0]["joint_sum"] > 0 and marks[0] == marks[1]


def test_the_input_is_replaced_only_by_force(tmp_path):
    model = pill(tmp_path)
    before = contents(tmp_path)
    assert "--force" in error_line(bake(model, "-o", model))
    assert "--force" in error_line(bake(model, "-o", tmp_path / "." / "model.gltf"))
    assert contents(tmp_path) == before
    assert bake(model, "-o", model, "--force").returncode == 0
    assert (tmp_path / "data.bin").read_bytes() == before[pathlib.Path("data.bin")]


def test_a_folder_in_place_of_a_file(tmp_path):
    (tmp_path / "out.glb").mkdir()
    assert "folder" in error_line(bake(pill(tmp_path), "-o", tmp_path / "out.glb"))
    assert "folder" in error_line(bake(tmp_path, "-o", tmp_path / "x.glb"))
    assert list((tmp_path / "out.glb").iterdir()) == []


def limit_file_size():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600))


# Files may not grow beyond 600 bytes: writing fails in the middle, as on a full disk. Both the .bin and the .gltf
# of an earlier result stay whole.
@pytest.mark.parametrize("out", ["out.glb", "out.gltf"])
def test_a_full_disk_leaves_the_earlier_result(tmp_path, out):
    model = pill(tmp_path)
    assert bake(model, "-o", tmp_path / out).returncode == 0
    before = contents(tmp_path)
    line = error_line(bake(model, "-o", tmp_path / out, "--format", "f16", preexec_fn=limit_file_size))
    # Whichever of the two files is the first that does not fit.
    assert "cannot be written" in line and "too large" in line and "/out." in line
    assert contents(tmp_path) == before


def test_a_read_only_folder(tmp_path):
    folder = pathlib.Path(tempfile.mkdtemp())  # root may write anywhere, so another user tries
    try:
        model = pill(folder)
        model.chmod(0o644)
        folder.chmod(0o555)
        as_other = {"user": 65534} if os.getuid() == 0 else {}
        before = contents(folder)
        line = error_line(bake(model, "-o", folder / "out.glb", **as_other))
        assert "Permission denied" in line and "out.glb" in line
        assert contents(folder) == before
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


@pytest.mark.parametrize("arguments", [["--format", "f64"], ["--layout", "nope"], ["--influences", "3"], ["--averaging", "nope"],
                                       ["--normals", "nope"], []])
def test_wrong_command_lines_name_what_is_wrong(tmp_path, arguments):
    result = bake(pill(tmp_path), *(["-o", tmp_path / "o.glb"] if arguments else []), *arguments)
    assert result.returncode == 2 and result.stderr.endswith("(skinlight bake --help)\n")


SMOOTH = ["--missing-normals", "smooth"]  # the fox has none


def gains(text):
    return {m[2]: (m[1], float(m[3])) for m in re.finditer(r"^([> ]) (\S+) +([\d.]+)$", text, re.M)}


def test_what_is_written_is_measured_beside_standard_normals_over_the_files_clips(tmp_path):
    models()
    fox = MODELS / "fox/Fox.glb"
    result = bake(fox, "-o", tmp_path / "fox.glb", *SMOOTH)
    assert result.returncode == 0, result.stderr
    measured = gains(result.stdout)
    assert list(measured) == ["standard", "deform", "smoothed", "deform-vectors", "deform+test-then-fix"]
    assert [name for name, (mark, _) in measured.items() if mark == ">"] == ["deform"]
    standard, deform, vectors = (measured[n][1] for n in ("standard", "deform", "deform-vectors"))
    assert deform > standard > 3 and vectors < 0.6
    assert f"deform makes normals worse than standard ones: {deform:.2f} instead of {standard:.2f} degrees" in result.stderr
    assert "Better: --normals deform-vectors" in result.stdout
    again = bake(fox, "-o", tmp_path / "fox.glb", "--normals", "deform-vectors", *SMOOTH)
    assert "worse than" not in again.stderr and "Better:" not in again.stdout
    assert gains(again.stdout)["deform-vectors"] == (">", vectors)
    # compare agrees on which are best.
    compared = subprocess.run([PROGRAM, "compare", str(fox), "--frames", "8", *SMOOTH], capture_output=True, text=True, timeout=300)
    assert compared.stdout.splitlines()[-1].endswith("--normals deform-vectors --missing-normals smooth")


def test_frames_are_measured_by_their_method_beside_what_else_can_be_baked_for_it(tmp_path):
    models()
    fox = MODELS / "fox/Fox.glb"
    result = bake(fox, "-o", tmp_path / "fox.glb", "--method", "dqs", *SMOOTH)
    assert result.returncode == 0, result.stderr
    measured = gains(result.stdout)
    assert list(measured) == ["standard", "deform", "exact", "smoothed", "deform-frames", "exact+test-then-fix"]
    assert [name for name, (mark, _) in measured.items() if mark == ">"] == ["exact"]
    assert "dual quaternion skinning" in result.stdout
    assert measured["deform-frames"][1] < .35 * measured["smoothed"][1]
    assert "Better: --normals deform-frames --method dqs" in result.stdout
    again = bake(fox, "-o", tmp_path / "fox.glb", "--normals", "deform-frames", "--format", "snorm16", *SMOOTH)
    assert again.returncode == 0 and "Better:" not in again.stdout and "worse than" not in again.stderr, again.stderr
    assert gains(again.stdout)["deform-frames"] == (">", measured["deform-frames"][1])
    # Of 16 bits a hundredth of a degree, on average.
    rows = {m[1]: float(m[2]) for m in re.finditer(r"^[> ] (\S+) +\d+ +([\d.]+) +[\d.]+ +[\d.]+$", again.stdout, re.M)}
    assert 0 < rows["snorm16"] < .01 < rows["snorm8"]
    # What was written is found to be as it was written; once it is edited, it is not.
    assert "stale" not in subprocess.run([PROGRAM, "check", str(tmp_path / "fox.glb")], capture_output=True, text=True).stdout
    compared = subprocess.run([PROGRAM, "compare", str(fox), "--frames", "8", "--method", "dqs", *SMOOTH],
                              capture_output=True, text=True, timeout=300)
    assert "--normals deform-frames --method dqs" in compared.stdout.splitlines()[-1]
    # About centres of rotation nothing can be baked, which is said.
    centred = subprocess.run([PROGRAM, "compare", str(fox), "--frames", "2", "--method", "crs", *SMOOTH],
                             capture_output=True, text=True, timeout=300)
    assert centred.stdout.splitlines()[-1].startswith("Bake does not write them"), centred.stdout


def test_five_bones_are_for_frames_alone(tmp_path):
    assert "must be 4 or 8" in error_line(bake(pill(tmp_path), "-o", tmp_path / "o.glb", "--influences", "5"))
    # Before the file is read: there is none.
    assert "--influences 5: must be 4 or 8" in error_line(bake("a.glb", "-o", tmp_path / "o.glb", "--influences", "5"))
    assert "--influences 4: must be 5 to 8" in error_line(
        bake("a.glb", "-o", tmp_path / "o.glb", "--normals", "deform-frames", "--influences", "4"))


def test_frames_without_area_are_left_out_of_what_is_measured(tmp_path):
    turning, vanishing = ("Turn", "rotation", 60.0), ("Vanish", "scale", 0.0)
    for clips in ([turning, vanishing], [turning, ("Gone", "flat", 0.0)], [("Gone", "flat", 0.0)]):
        model = strip(tmp_path / "m", weights=[1] * ROWS, clips=clips, tilted=True)
        result = bake(model, "-o", tmp_path / "out.glb", "--force")
        assert result.returncode == 0, result.stderr
        assert f"clip {clips[-1][0]}: the posed mesh has no area" in result.stderr or len(clips) == 1
        assert bool(gains(result.stdout)) == (len(clips) > 1)
        assert ("what the normals gain was not measured" in result.stderr) == (len(clips) == 1)


def test_without_clips_nothing_is_measured_and_that_is_said(tmp_path):
    result = bake(pill(tmp_path), "-o", tmp_path / "out.glb")
    assert result.returncode == 0 and "has no clips" in result.stdout and not gains(result.stdout)
