#!/usr/bin/env python3
"""The health of every character below a folder, as one SARIF file that code hosts show beside the changes.

usage: rig_health.py FOLDER OUT.sarif [--influences N] [--strict]

Exit code 1 when a rig has errors (with --strict: or warnings), or cannot be read.
"""

import argparse
import json
import sys
from pathlib import Path

import skinlight

SUFFIXES = {".gltf", ".glb", ".fbx", ".dae", ".md5mesh", ".x"}
LEVELS = {"error": "error", "warning": "warning", "note": "note"}


def result(rule, level, text, path):
    return {"ruleId": rule, "level": level, "message": {"text": text},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": path.as_posix()}}}]}


def results_of(path, influences):
    try:
        return [result(f.kind, LEVELS[f.severity], str(f), path) for f in skinlight.check(path, influences=influences)]
    except skinlight.InputError as e:
        return [result("unreadable", "error", f"{e.element}: {e.reason}" if e.element else e.reason, path)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--influences", type=int, default=4, help="bones per vertex that your engine keeps")
    parser.add_argument("--strict", action="store_true", help="warnings fail too")
    arguments = parser.parse_args()
    models = sorted(p for p in arguments.folder.rglob("*") if p.suffix.lower() in SUFFIXES)
    if not models:
        sys.exit(f"{arguments.folder}: holds no models")
    results = [r for path in models for r in results_of(path, arguments.influences)]
    driver = {"name": "skinlight", "version": skinlight.__version__,
              "rules": [{"id": rule} for rule in sorted({r["ruleId"] for r in results})]}
    sarif = {"version": "2.1.0", "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
             "runs": [{"tool": {"driver": driver}, "results": results}]}
    arguments.out.write_text(json.dumps(sarif, indent=1) + "\n", encoding="utf-8")
    bad = [r for r in results if r["level"] == "error" or (arguments.strict and r["level"] == "warning")]
    for r in bad:
        print(f"{r['locations'][0]['physicalLocation']['artifactLocation']['uri']}: {r['message']['text']}")
    print(f"{len(models)} models, {len(results)} findings, {len(bad)} that fail")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
