#!/usr/bin/env python3
"""Whether a method of yours lost accuracy: its mean error over a character's clips against a record.

usage: method_regression.py METHOD.py MODEL RECORD.json [--update] [--tolerance DEG]

METHOD.py defines normals(rig, pose): (V, 3), for a skinlight.Rig and a pose (B, 3, 4). Exit code 1 when the mean error of a
clip grew by more than the tolerance; --update writes the record.
"""

import argparse
import json
import runpy
import sys
from pathlib import Path

import numpy as np

import skinlight

FRAMES = 15


def mean_errors(method, model):
    """Degrees from the transported truth, per clip, all frames alike."""
    rig = skinlight.read(model)
    errors = {}
    for clip in rig.clips:
        means = []
        for seconds in np.linspace(0, clip.duration, FRAMES):
            pose = rig.pose(clip.name, seconds)
            truth = rig.truth(pose)
            means.append(skinlight.angular_errors(method(rig, pose), truth.transported, truth.areas).mean)
        errors[clip.name] = float(np.mean(means))
    return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("method", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("record", type=Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--tolerance", type=float, default=0.01, help="degrees; 0.01 by default")
    arguments = parser.parse_args()
    errors = mean_errors(runpy.run_path(str(arguments.method))["normals"], arguments.model)
    if arguments.update:
        arguments.record.write_text(json.dumps(errors, indent=1) + "\n", encoding="utf-8")
        return
    record = json.loads(arguments.record.read_text(encoding="utf-8"))
    worse = 0
    for clip, error in errors.items():
        known = record.get(clip)
        grew = known is None or not error <= known + arguments.tolerance
        worse += grew
        was = "not recorded" if known is None else f"{known:.3f} recorded"
        print(f"{clip}: {error:.3f} degrees, {was}{': WORSE' if grew else ''}")
    sys.exit(1 if worse else 0)


if __name__ == "__main__":
    main()
