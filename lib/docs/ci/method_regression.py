#!/usr/bin/env python3
"""Whether a method of yours lost accuracy: its mean error over a character's clips against a record.

usage: method_regression.py METHOD.py MODEL RECORD.json [--update] [--tolerance DEG]

METHOD.py defines normals(rig, pose): (V, 3), for a skinlight.Rig and a pose (B, 3, 4). Exit code 1 when the mean error of a
clip grew by more than the tolerance, 2 when that cannot be said: the model has no clips, or lacks one of the record; --update
writes the record.
"""

import argparse
import json
import math
import runpy
import sys
from pathlib import Path

import numpy as np

import skinlight

FRAMES = 15


class Unusable(Exception):
    """What this compares, and cannot."""


def mean_errors(method, model):
    """Degrees from the transported truth, per clip, all frames alike."""
    rig = skinlight.read(model)
    if not rig.clips:
        raise Unusable(f"{model} has no clips, so there is nothing to measure over")
    errors = {}
    for clip in rig.clips:
        if clip.name in errors:
            raise Unusable(f"{model} has two clips '{clip.name}', which a record cannot tell apart")
        means = []
        for seconds in np.linspace(0, clip.duration, FRAMES):
            pose = rig.pose(clip.name, seconds)
            truth = rig.truth(pose)
            means.append(skinlight.angular_errors(method(rig, pose), truth.transported, truth.areas).mean)
        errors[clip.name] = float(np.mean(means))
        if not math.isfinite(errors[clip.name]):
            raise Unusable(f"{clip.name}: the method's error is {errors[clip.name]}")
    return errors


def normals_of(path):
    try:
        return runpy.run_path(str(path))["normals"]
    except OSError as e:
        raise Unusable(f"{path} cannot be read: {e.strerror}") from e
    except KeyError as e:
        raise Unusable(f"{path} does not define normals(rig, pose)") from e


def read_record(path):
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except OSError as e:
        raise Unusable(f"{path} cannot be read: {e.strerror}; --update writes it") from e
    except ValueError as e:
        raise Unusable(f"{path} is no record: {e}") from e
    if not isinstance(record, dict) or not record:
        raise Unusable(f"{path} records no clip; --update writes it")
    return record


def worse(errors, record, tolerance):
    """How many clips are worse than recorded. Tells of each."""
    for clip in record:
        if clip not in errors:
            raise Unusable(f"{clip} is recorded and no clip of the model any more; --update forgets it")
    count = 0
    for clip, error in errors.items():
        known = record.get(clip)
        grew = known is None or not error <= known + tolerance
        count += grew
        was = "not recorded" if known is None else f"{known:.3f} recorded"
        print(f"{clip}: {error:.3f} degrees, {was}{': WORSE' if grew else ''}")
    return count


def degrees(text):
    value = float(text)
    if not 0 <= value <= 180:
        raise argparse.ArgumentTypeError(f"{text} is no angle from 0 to 180 degrees")
    return value


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("method", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("record", type=Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--tolerance", type=degrees, default=0.01, help="degrees; 0.01 by default")
    arguments = parser.parse_args()
    try:
        errors = mean_errors(normals_of(arguments.method), arguments.model)
        if arguments.update:
            arguments.record.write_text(json.dumps(errors, indent=1) + "\n", encoding="utf-8")
            return
        sys.exit(1 if worse(errors, read_record(arguments.record), arguments.tolerance) else 0)
    except (Unusable, skinlight.InputError) as e:
        print(f"method_regression.py: {e}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
