"""Runs experiments with the wrong method or normal mode in the place of the right one, and tells which claims still pass."""
import argparse
import collections
import concurrent.futures
import difflib
import json
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join(ROOT, "build", "release", "bin", "skinlight_swapped")
SCRATCH = os.path.join(ROOT, "build", "swaps")
ACCEPTED = os.path.join(ROOT, "ci", "swaps", "accepted.json")
# The method that is taken for each; for all others it is lbs.
OTHER = {"lbs": "dqs", "crs": "dqs", "dib": "dqs"}


class BadInput(Exception):
    pass


def experiments():
    with open(os.path.join(ROOT, "repro", "papers.json"), encoding="utf-8") as file:
        return [f"{paper['id']}/{name}" for paper in json.load(file)["papers"] for name in paper["experiments"]]


def derivative_of(method):
    """The mode whose tangents are the derivative of the method's positions: what stands in for its standard normals."""
    return "deform" if method == "lbs" else "exact"


def swaps_of(rows):
    """What is run for an experiment that asks for these rows of the kernel table: each row in the other's place, and each
    method in the place of the other. Name -> SKINLIGHT_SWAP."""
    swaps = {}
    for row in sorted(rows):
        method, mode = row.split("/")
        wrong = f"{method}/{derivative_of(method) if mode == 'standard' else 'standard'}"
        swaps[f"{row} -> {wrong}"] = f"{row}={wrong}"
    for method in sorted({row.split("/")[0] for row in rows}):
        other = OTHER.get(method, "lbs")
        swaps[f"{method} -> {other}"] = ",".join(
            f"{row}={other}/{'standard' if row.endswith('/standard') else derivative_of(other)}"
            for row in sorted(rows) if row.startswith(method + "/"))
    return swaps


def run(experiment, name, swap, rows=None):
    """Claim -> (value, verdict), or why there is no result."""
    out = os.path.join(SCRATCH, "runs", experiment.replace("/", "-"), name.replace("/", "-").replace(" -> ", "_as_"))
    shutil.rmtree(out, ignore_errors=True)
    environment = dict(os.environ, SKINLIGHT_SWAP=swap)
    if rows:
        environment["SKINLIGHT_ROWS"] = rows
    done = subprocess.run([PROGRAM, "reproduce", experiment, "--out", out, "--threads", "1"], env=environment, text=True,
                          errors="replace", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        if done.returncode > 1:
            return done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit code {done.returncode}"
        with open(os.path.join(out, experiment, "run.json"), encoding="utf-8") as file:
            return {claim["name"]: (claim["value"], claim["verdict"]) for claim in json.load(file)["claims"]}
    finally:
        shutil.rmtree(out, ignore_errors=True)


def right(experiment):
    """Its claims as they are, those whose values change by themselves (times), and the rows that it asks for."""
    rows = os.path.join(SCRATCH, "rows-" + experiment.replace("/", "-"))
    if os.path.exists(rows):
        os.remove(rows)
    claims = run(experiment, "right", "", rows)
    if isinstance(claims, str):
        raise BadInput(f"{experiment} does not run: {claims}")
    again = run(experiment, "again", "")
    with open(rows, encoding="utf-8") if os.path.exists(rows) else open(os.devnull, encoding="utf-8") as file:
        return claims, {name for name in claims if again[name][0] != claims[name][0]}, set(file.read().split())


def moved(right_value, wrong_value):
    """By more than another order of additions does."""
    if right_value is None or wrong_value is None:
        return right_value is not wrong_value
    return abs(wrong_value - right_value) > 1e-9 * abs(right_value) + 1e-12


def judged(experiment):
    """Of an experiment: one row per swap and claim whose value it changes, and how many claims are about times."""
    claims, moving, used = right(experiment)
    rows = []
    for name, swap in swaps_of(used).items():
        wrong = run(experiment, name, swap)
        for claim, (value, _) in claims.items():
            row = {"experiment": experiment, "swap": name, "claim": claim}
            if isinstance(wrong, str):
                rows.append({**row, "passes": False, "stopped": wrong})
            elif claim not in moving and moved(value, wrong[claim][0]):
                rows.append({**row, "passes": wrong[claim][1] != "failed", "right": value, "wrong": wrong[claim][0]})
    print(f"{experiment}: {len({row['swap'] for row in rows})} swaps change {len({row['claim'] for row in rows})} of "
          f"{len(claims)} claims", flush=True)
    return rows, len(moving)


def survivors(rows):
    """Claims that no swap turns red though some change their values: (experiment, claim) -> those swaps."""
    passed = collections.defaultdict(list)
    for row in rows:
        passed[row["experiment"], row["claim"]].append(row["swap"])
    for row in rows:
        if not row["passes"]:
            passed.pop((row["experiment"], row["claim"]), None)
    return passed


def accepted():
    """(experiment, claim) -> reason."""
    with open(ACCEPTED, encoding="utf-8") as file:
        return {(experiment, claim): group["reason"] for group in json.load(file)
                for experiment, claims in group["claims"].items() for claim in claims}


def options():
    parser = argparse.ArgumentParser(prog="ci/swaps.sh")
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--json")
    wanted = parser.parse_args()
    known = experiments()
    for name in wanted.ids:
        if name not in known:
            raise BadInput(f"there is no experiment '{name}'; the nearest is '{difflib.get_close_matches(name, known, 1, 0)[0]}'")
    return wanted


def main():
    wanted = options()
    ids = wanted.ids or experiments()
    os.makedirs(SCRATCH, exist_ok=True)
    rows, times = [], 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for of_experiment, moving in pool.map(judged, ids):
            rows += of_experiment
            times += moving
            if wanted.json:  # experiment by experiment: an interruption loses the last ones only
                with open(wanted.json, "w", encoding="utf-8") as file:
                    json.dump(rows, file, indent=1)
    reasons, found = accepted(), survivors(rows)
    unexplained = [key for key in found if key not in reasons]
    for experiment, claim in unexplained:
        print(f"passes: {experiment} {claim} with {', '.join(found[experiment, claim])}")
    stale = [key for key in reasons if key[0] in ids and key not in found]
    for experiment, claim in stale:
        print(f"does not pass any more, but is listed: {experiment} {claim}")
    touched = {(row["experiment"], row["claim"]) for row in rows}
    red = sum(not row["passes"] for row in rows)
    print(f"{len(touched)} claims are computed through kernels; swaps turn {len(touched) - len(found)} of them red, "
          f"{len(found) - len(unexplained)} pass for a reason, {len(unexplained)} without one ({times} claims about times left out). "
          f"Of {len(rows)} pairs of a claim and a swap that changes it {red} are red.")
    return 1 if unexplained or stale else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BadInput as problem:
        print(f"ci/swaps.sh: {problem}", file=sys.stderr)
        sys.exit(2)
