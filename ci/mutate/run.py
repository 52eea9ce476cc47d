"""Plants faults room by room in a copy of the sources, runs the tests on each, and tells which of them survive."""
import argparse
import difflib
import json
import math
import os
import random
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import judging  # noqa: E402
import plant  # noqa: E402
import record  # noqa: E402
import rooms  # noqa: E402
import sites  # noqa: E402
import workspace  # noqa: E402
from workspace import KEPT, NOTICED, TREE, BadInput  # noqa: E402

PER_ROOM = 60  # mutants of a room where nothing else is said
OF_SAMPLE = 24  # of a room in a sample
AT_LEAST = 60  # seconds that a room is judged for


def options():
    parser = argparse.ArgumentParser(
        prog="ci/mutate.sh",
        description="Plants small faults in a copy of the committed sources (build/mutants), as drawn from a seed, and runs "
        "the tests on each: what no test notices is a survivor. The working tree is never touched.",
        epilog="Exit code: 0 fine; 1 a room is below its share of faults noticed, or, of a sample, a fault survived that was "
        "noticed on record, or more of the others than chance explains; 2 bad input. Rooms: " + ", ".join(rooms.BY_NAME) + ".")
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help="all where none is named")
    parser.add_argument("--sample", type=float, metavar="MINUTES", help="as many rooms, a few faults each, as fit in that time; where none is named, of those "
                        "whose share on record is what they want")
    parser.add_argument("--mutants", type=int, default=PER_ROOM, metavar="N", help=f"faults per room ({PER_ROOM})")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (1)")
    parser.add_argument("--json", metavar="FILE", help="every fault and what became of it")
    parser.add_argument("--again", metavar="FILE", help="judge only what FILE, of --json, does not have as red, and no equivalents")
    parser.add_argument("--keep", action="store_true", help="also write the shares into " + KEPT + ", which the report page "
                        "shows, and what was noticed into " + NOTICED)
    wanted = parser.parse_args()
    for name in wanted.rooms:
        if name not in rooms.BY_NAME:
            near = difflib.get_close_matches(name, rooms.BY_NAME, 1)
            raise BadInput(f"room '{name}' does not exist" + (f", did you mean '{near[0]}'?" if near else "")
                           + f" There are: {', '.join(rooms.BY_NAME)}")
    if wanted.mutants < 1 or (wanted.sample is not None and wanted.sample <= 0):
        raise BadInput("--mutants and --sample want a number above 0")
    wanted.before = {}
    if wanted.again:
        try:
            with open(wanted.again) as file:
                wanted.before = {record.told(row): row["test"] for row in json.load(file)["mutants"] if row["verdict"] == "red"}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BadInput(f"{wanted.again}: is not what --json writes ({error})")
    if wanted.keep and wanted.sample is not None:
        raise BadInput("--keep wants whole rooms, not a --sample")
    return wanted


def grouped(names):
    """Rooms that the same tests judge are built at once."""
    groups = {}
    for name in names:
        room = rooms.BY_NAME[name]
        groups.setdefault(room.tests or name, []).append(room)
    return list(groups.values())


def mutate(group, count, seed, deadline, before):
    """The rows of rooms that the same tests judge: of what is judged before the deadline, or in a minute where the build has
    taken that long. before: tests that are known to be red, by place."""
    room_of = {name: room for room in group for name in room.files(TREE)}
    clean = {}
    for name in dict.fromkeys([*room_of, *(room.includer for room in group if room.includer)]):
        with open(os.path.join(TREE, name), "rb") as file:
            clean[name] = file.read()

    known = record.equivalents()

    def known_before(mutants):
        """Where there is an earlier result: what it has as red, and what makes no difference."""
        same = dict.fromkeys(known) if before else {}
        return {number: (same | before)[record.place(site, clean)] for number, site in mutants.items()
                if record.place(site, clean) in same | before}

    def drawn(found):
        return [site for room in group
                for site in plant.disjoint_draw([s for s in found if room_of[s.file] == room], count, seed)]

    if group[0].python:
        found = [s for name in room_of for s in sites.python_sites(name, clean[name].decode())]
        mutants = dict(enumerate(drawn(found), 1))
        verdicts = known_before(mutants)
        tests = judging.python_traced(group[0])
        for number, site in mutants.items():
            if number not in verdicts and time.monotonic() < deadline:
                verdicts[number] = judging.python_verdict(site, clean[site.file], tests)
                judging.progress(group[0], len(verdicts), len(mutants))
    else:
        found = [s for room in group for s in workspace.cpp_sites_of(room, workspace.configure())]
        try:
            mutants = workspace.plant_and_build(group, drawn(found), clean)
            verdicts = known_before(mutants)
            unknown = {number: site for number, site in mutants.items() if number not in verdicts}
            verdicts |= judging.judged(group[0], unknown, lambda: max(deadline, time.monotonic() + AT_LEAST))
        finally:
            workspace.restored(clean)
    rows = []
    left = judging.left_to_compiler(mutants, verdicts)
    for number, red in sorted(verdicts.items()):
        if number in left:
            continue
        site = mutants[number]
        reason = known.get(record.place(site, clean)) or (judging.NOWHERE if red == judging.NOWHERE else None)
        red = None if red == judging.NOWHERE else red
        verdict = "red" if red else "equivalent" if reason not in (None, judging.NOWHERE) else "survived"
        rows.append({"room": room_of[site.file].name, "file": site.file, "line": site.line, "on": record.place(site, clean)[1],
                     "operator": site.operator, "before": site.before, "after": site.after, "verdict": verdict,
                     **({"test": red} if red else {}), **({"reason": reason} if reason and not red else {})})
    for room in group:
        print(f"{room.name}: {sum(room_of[s.file] == room for s in found)} places, "
              f"{sum(row['room'] == room.name for row in rows)} faults planted and judged", flush=True)
    if left:
        print(f"{len(left)} more are in constexpr functions that only the compiler calls", flush=True)
    for row in rows:
        if row["verdict"] == "survived":
            print(f"survived: {row['file']}:{row['line']}: {row['operator']}: {' '.join(row['before'].split())}  ->  "
                  f"{' '.join(row['after'].split())}" + (f" ({row['reason']})" if "reason" in row else ""), flush=True)
    return rows


def main():
    wanted = options()
    start = time.monotonic()
    workspace.export_tree()
    names = wanted.rooms or list(rooms.BY_NAME)
    count = wanted.mutants
    if wanted.sample:
        count = min(count, OF_SAMPLE)
        if not wanted.rooms:
            names = record.judged_rooms()
            # Another room with every commit, and the same for the same one.
            random.Random(workspace.commit() + str(wanted.seed)).shuffle(names)
            names.sort(key=lambda name: rooms.BY_NAME[name].python)  # minutes per script: what is left
    deadline = start + 60 * wanted.sample if wanted.sample else math.inf
    rows = []
    for i, group in enumerate(grouped(names)):
        if wanted.sample and i > 0 and time.monotonic() - start > 60 * wanted.sample / 2:
            break  # another room takes about as long as those before
        rows += mutate(group, count, wanted.seed, deadline, wanted.before)
        if wanted.json:  # room by room: an interruption loses the last one only
            with open(wanted.json + ".part", "w") as file:
                json.dump({"seed": wanted.seed, "mutants": rows}, file, indent=1)
            os.replace(wanted.json + ".part", wanted.json)
        if wanted.keep:
            record.keep(rows, wanted.seed)
    fine = record.summary(rows)
    if wanted.sample:
        if not rows:
            print("no fault was judged in that time")
        fine = record.sample_is_fine(rows)
    return 0 if fine else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BadInput as error:
        print(f"ci/mutate.sh: {error}", file=sys.stderr)
        sys.exit(2)
