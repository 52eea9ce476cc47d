"""ci/hand2glb.py on a made-up hand of two joints and poses written here, by Godot's description of its binary format.

Godot's own files are not here: that they give the files of repro/models.json is checked, by their SHA-256, wherever
ci/fetch_models.sh makes them.
"""

import base64
import json
import struct
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("hand2glb.py")
REST, TURN, OTHER = (.6, 0, 0, .8), (0, .5, .5, .5), (.25, .5, .75, 1)  # exact in floats but REST


def text(value):
    data = value.encode() + b"\0"
    return struct.pack("<I", len(data)) + data


def pose(tracks, kind="Animation", magic=b"RSRC", references=0, number=4):
    """A resource whose properties come after strings that nobody needs, at the place that its table names."""
    names = ["unused", "length", "Armature", "Skeleton", "resource_name", "script"]
    properties = [("length", struct.pack("<If", number, 1.5)), ("script", struct.pack("<I", 1)),
                  ("resource_name", struct.pack("<I", 5) + text("Fist"))]
    for i, (joint, what, keys) in enumerate(tracks):
        names += [joint]
        path = struct.pack("<IHH3I", 22, 2, 0x8001, names.index("Armature"), names.index("Skeleton"), names.index(joint))
        properties += [(f"tracks/{i}/type", struct.pack("<I", 5) + text(what)),
                       (f"tracks/{i}/imported", struct.pack("<II", 2, 1)), (f"tracks/{i}/path", path),
                       (f"tracks/{i}/interp", struct.pack("<Ii", 3, -1)),
                       (f"tracks/{i}/keys", struct.pack(f"<II{len(keys)}f", 33, len(keys), *keys))]
    names += [name for name, _ in properties if name not in names]
    head = magic + struct.pack("<5I", 0, 0, 4, 0, 4) + text(kind) + struct.pack("<QIQ11I", 0, 0, 7, *[0] * 11)
    head += struct.pack("<I", len(names)) + b"".join(map(text, names)) + struct.pack("<II", references, 1) + text("res://x")
    head += struct.pack("<Q", len(head) + 8)
    body = text(kind) + struct.pack("<I", len(properties))
    return head + body + b"".join(struct.pack("<I", names.index(name)) + value for name, value in properties) + magic


def turned(joint, quaternion, what="rotation_3d"):
    return (joint, what, (0, 1, *quaternion))


HAND = {"asset": {"version": "2.0"}, "nodes": [{"name": "thumb", "rotation": list(REST)}, {"name": "index"}],
        "accessors": [{"bufferView": 0, "componentType": 5121, "count": 3, "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteLength": 3, "byteOffset": 0}],
        "buffers": [{"byteLength": 3, "uri": "data:application/octet-stream;base64," + base64.b64encode(b"abc").decode()}]}


def run(folder, poses, hand=json.dumps(HAND)):
    (folder / "hand.gltf").write_text(hand, encoding="utf-8")
    for name, data in poses.items():
        (folder / name).write_bytes(data)
    arguments = [str(folder / name) for name in ["hand.gltf", *poses, "out.glb"]]
    return subprocess.run([sys.executable, "-B", str(SCRIPT), *arguments], capture_output=True, text=True, timeout=60)


def test_each_pose_is_a_clip_from_rest_and_back(tmp_path):
    result = run(tmp_path, {"Fist.res": pose([turned("index", TURN), turned("thumb", OTHER)]),
                            "Open hand.res": pose([turned("thumb", TURN)])})
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    data = (tmp_path / "out.glb").read_bytes()
    magic, version, size, length, kind = struct.unpack_from("<4sIII4s", data)
    assert (magic, version, size, kind) == (b"glTF", 2, len(data), b"JSON") and length % 4 == 0
    document, binary = json.loads(data[20:20 + length]), data[28 + length:]
    assert binary[:3] == b"abc" and document["nodes"] == HAND["nodes"] and document["accessors"][0] == HAND["accessors"][0]

    def rows(accessor):
        a = document["accessors"][accessor]
        width, start = {"SCALAR": 1, "VEC4": 4}[a["type"]], document["bufferViews"][a["bufferView"]]["byteOffset"]
        assert start % 4 == 0
        return list(struct.iter_unpack(f"<{width}f", binary[start:start + 4 * width * a["count"]]))

    played = {}
    for clip in document["animations"]:
        for channel in clip["channels"]:
            sampler = clip["samplers"][channel["sampler"]]
            assert rows(sampler["input"]) == [(0,), (1,), (2,)] and sampler["interpolation"] == "LINEAR"
            assert channel["target"]["path"] == "rotation"
            played[clip["name"], channel["target"]["node"]] = rows(sampler["output"])
    rest = struct.unpack("<4f", struct.pack("<4f", *REST))
    assert played == {("Fist", 1): [(0, 0, 0, 1), TURN, (0, 0, 0, 1)], ("Fist", 0): [rest, OTHER, rest],
                      ("Open hand", 0): [rest, TURN, rest]}


@pytest.mark.parametrize("data, words", [
    (b"ABCD" + bytes(60), "is no binary resource of Godot's"),
    (pose([turned("thumb", TURN)])[:-150], "in the middle of a value"),
    (pose([turned("thumb", TURN)], kind="Mesh"), "is a resource of kind Mesh, no Animation"),
    (pose([turned("thumb", TURN)], references=1), "refers to other files"),
    (pose([turned("thumb", TURN)], number=44), "length: values of type 44 are not read"),
    (pose([turned("thumb", TURN, "position_3d")]), "tracks/0 is not one rotation"),
    (pose([("thumb", "rotation_3d", (0, 1, *TURN, 1, 1, *TURN))]), "tracks/0 is not one rotation"),
    (pose([]), "has no tracks"),
])
def test_what_is_no_pose_is_named(tmp_path, data, words):
    result = run(tmp_path, {"Bad.res": data})
    assert result.returncode == 2 and len(result.stderr.splitlines()) == 1
    assert str(tmp_path / "Bad.res") in result.stderr and words in result.stderr
    assert not (tmp_path / "out.glb").exists()


def test_a_hand_that_does_not_fit_is_named(tmp_path):
    fist = {"Fist.res": pose([turned("toe", TURN)])}
    assert "Fist turns toe, which the hand has not" in run(tmp_path, fist).stderr
    result = run(tmp_path, fist, "{")
    assert result.returncode == 2 and str(tmp_path / "hand.gltf") in result.stderr
    assert "one in the file itself" in run(tmp_path, fist, json.dumps({**HAND, "buffers": [{"uri": "x.bin"}]})).stderr


def test_without_files_the_usage_is_told():
    def told(*arguments):
        return subprocess.run([sys.executable, "-B", str(SCRIPT), *arguments], capture_output=True, text=True, timeout=60)
    assert told().returncode == 2 and "usage: hand2glb.py" in told().stderr
    assert told("--help").returncode == 0 and "usage: hand2glb.py" in told("--help").stdout
