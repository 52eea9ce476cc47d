"""Plants faults room by room in a copy of the sources, runs the tests on each, and tells which of them survive."""
import argparse
import concurrent.futures
import dataclasses
import difflib
import functools
import hashlib
import io
import json
import math
import os
import random
import re
import resource
import shlex
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import plant  # noqa: E402
import rooms  # noqa: E402
import sites  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRATCH = os.path.join(ROOT, "build", "mutants")
TREE = os.path.join(SCRATCH, "tree")
BUILD = os.path.join(TREE, "build", "release")  # as in a checkout: ccache knows what has no fault
HEADER = os.path.join(TREE, "ci", "mutate", "mutant.h")
TRACER = os.path.join(TREE, "ci", "mutate", "tracer")
KEPT = "ci/mutate/scores.json"
NOTICED = "ci/mutate/noticed.json"
PER_ROOM = 60  # mutants of a room where nothing else is said
OF_SAMPLE = 24  # of a room in a sample
MEMORY = 8 << 30  # a test that wants more has a fault
ONCE_IN = .01
NO_TESTS = 5  # pytest's exit code
NOWHERE = "no test comes by"


class BadInput(Exception):
    pass


def processors():
    """How many this process may use, which `taskset` limits, and with it the builds."""
    return len(os.sched_getaffinity(0))


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
                wanted.before = {told(row): row["test"] for row in json.load(file)["mutants"] if row["verdict"] == "red"}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BadInput(f"{wanted.again}: is not what --json writes ({error})")
    if wanted.keep and wanted.sample is not None:
        raise BadInput("--keep wants whole rooms, not a --sample")
    return wanted


def export_tree():
    """The committed sources in TREE; files that have not changed keep their time."""
    changed = subprocess.run(["git", "status", "--porcelain", "--untracked-files=no", "--", ".", f":!{KEPT}", f":!{NOTICED}"],
                             cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE).stdout
    if changed:
        raise BadInput(f"the working tree has changes ({changed.splitlines()[0][3:]} ...): commit or stash them first")
    packed = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    names = set()
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            if member.isfile():
                names.add(member.name)
                plant.write(os.path.join(TREE, member.name), archive.extractfile(member).read())
                os.chmod(os.path.join(TREE, member.name), member.mode)
    for folder, folders, files in os.walk(TREE):
        if folder == TREE and "build" in folders:
            folders.remove("build")
        for file in files:
            path = os.path.join(folder, file)
            if os.path.relpath(path, TREE) not in names and not path.endswith((".pyc",)):
                os.remove(path)


def commit():
    return subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE).stdout.strip()


@functools.cache
def configure():
    log = os.path.join(SCRATCH, "configure.log")
    with open(log, "w") as file:
        done = subprocess.run(["cmake", "--preset", "release"], cwd=TREE, stdout=file, stderr=subprocess.STDOUT)
    if done.returncode:
        raise BadInput(f"CMake failed, see {os.path.relpath(log, ROOT)}")
    with open(os.path.join(BUILD, "compile_commands.json")) as file:
        return json.load(file)


def compiler_options(command):
    """What libclang needs of a line of compile_commands.json."""
    words = shlex.split(command)
    kept = []
    for i, word in enumerate(words):
        if word in ("-isystem", "-I", "-include"):
            kept += [word, words[i + 1]]
        elif word.startswith(("-I", "-D", "-std=", "-m", "-isystem")):
            kept.append(word)
    return kept


def cpp_sites_of(room, commands):
    """All sites of the room's files, through the translation units that include them: those of the room, tests last."""
    wanted = set(room.files(TREE))
    folder = os.path.dirname(room.sources[0].split("*")[0])
    units = [c for c in commands if os.path.relpath(c["file"], TREE) in wanted]
    if room.includer:
        units = [c for c in commands if c["file"] == os.path.join(TREE, room.includer.replace(".h", ".cpp"))]
    tests = [c for c in commands if os.path.relpath(c["file"], TREE).startswith(folder) and c["file"].endswith("_test.cpp")]
    found, seen = {}, set()
    for command in units + tests:
        if command in tests and wanted <= seen:  # headers that no source of the room includes
            break
        for site in sites.cpp_sites(command["file"], compiler_options(command["command"]), wanted, TREE, seen):
            found[site.key()] = site
    return list(found.values())


def build(room):
    """The log of a failed build, or None."""
    done = subprocess.run(["cmake", "--build", BUILD, "--target", *room.tests, "--", "-k", "0"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout if done.returncode else None


def restored(clean):
    for name, data in clean.items():
        plant.write(os.path.join(TREE, name), data)


def plant_and_build(group, chosen, clean):
    """Writes the mutants into the sources of the rooms and builds; those that do not compile are taken out. Returns the ones
    left by their number."""
    inner = {name for room in group if room.includer for name in room.files(TREE)}
    includers = {room.includer for room in group}
    names = " and ".join(room.name for room in group)
    mutants = dict(enumerate(chosen, 1))
    for _ in range(12):
        by_file = {}
        for number, site in mutants.items():
            by_file.setdefault(site.file, []).append((number, site))
        for name, data in clean.items():
            planted = by_file.get(name, [])
            if planted or name in includers:
                data = plant.planted_cpp(data, planted, None if name in inner else HEADER)
            plant.write(os.path.join(TREE, name), data)
        log = build(group[0])
        if log is None:
            return mutants
        bad = set()
        for name, line in re.findall(r"([\w./+-]+\.(?:h|cpp|glsl)):(\d+)", log):
            name = os.path.relpath(os.path.join(BUILD, name), TREE)
            for number, site in mutants.items():
                # The header is one line more, and a mutant may be longer than its expression.
                if site.file == name and abs(site.line - int(line)) <= 2:
                    bad.add(number)
        if not bad:
            with open(os.path.join(SCRATCH, "build.log"), "w") as file:
                file.write(log)
            raise BadInput(f"{names}: does not build with mutants, see build/mutants/build.log")
        for number in bad:
            del mutants[number]
    raise BadInput(f"{names}: does not build with mutants")


def run_limited(command, environment, seconds):
    """(exit code, output, seconds of processor time) of a program that is killed after that much processor time: on a machine
    that is busy with other work nothing hangs for it. After a hundred times that on the clock it waits for something."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 1))

    with tempfile.TemporaryFile("w+", errors="replace") as output:
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.STDOUT, preexec_fn=limit, cwd=BUILD)
        patience = threading.Timer(100 * seconds, process.kill)
        patience.start()
        _, status, used = os.wait4(process.pid, 0)
        patience.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return process.returncode, output.read(), used.ru_utime + used.ru_stime


def run_suite(program, suite, mutant, seconds, passed=os.devnull):
    """Which test is red, or None; and the processor time."""
    environment = dict(os.environ, SKINLIGHT_MUTANT=str(mutant), SKINLIGHT_MUTANTS_PASSED=passed)
    command = [os.path.join(BUILD, "bin", program), f"--gtest_filter={suite}*", "--gtest_fail_fast", "--gtest_brief=1"]
    code, output, used = run_limited(command, environment, seconds)
    if code == 0:
        return None, used
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return f"{program}: {suite} hangs", used
    failed = re.search(r"\[  FAILED  \] ([\w/.]+)", output)
    return f"{program}: {failed[1] if failed else suite + ' crashes'}", used


def suites(program):
    listed = subprocess.run([os.path.join(BUILD, "bin", program), "--gtest_list_tests"], text=True, check=True, cwd=BUILD,
                            stdout=subprocess.PIPE).stdout
    return [line.split()[0] for line in listed.splitlines() if re.match(r"[\w/]+\.( |$)", line)]


@dataclasses.dataclass(frozen=True)
class Suite:
    """Tests that run together."""

    program: str  # or the file of tests, in Python
    name: str
    seconds: float  # of processor time; in Python on the clock
    passed: frozenset  # the numbers of the faults whose place it comes by; in Python, the files that it runs

    def limit(self):
        return 10 * self.seconds + 10


def traced(room):
    """The suites of the room's tests, the quickest first, and what they come by."""

    def trace(job):
        program, suite = job
        with tempfile.NamedTemporaryFile("r", prefix="skinlight_passed_") as file:
            red, used = run_suite(program, suite, -1, 1800, file.name)
            if red:
                raise BadInput(f"{red} is red without any fault")
            return Suite(program, suite, used, frozenset(int(line) for line in file))

    with concurrent.futures.ThreadPoolExecutor(processors()) as pool:
        found = list(pool.map(trace, [(program, suite) for program in room.tests for suite in suites(program)]))
    return sorted(found, key=lambda suite: suite.seconds)


def progress(room, done, count):
    if sys.stderr.isatty():
        print(f"\r{room.name}: {done} of {count} faults judged", end="\n" if done == count else "", file=sys.stderr, flush=True)


def judged(room, mutants, deadline):
    """Runs the tests that come by on every mutant (number: site) that is reached before the deadline, as many at once as there
    are processors. By number, which test is red; None where none is; NOWHERE where none comes by."""
    tests = traced(room)
    verdicts = {}

    def judge(number):
        if time.monotonic() > deadline:
            return
        verdicts[number] = verdict(number)
        progress(room, len(verdicts), len(mutants))

    def verdict(number):
        able = [suite for suite in tests if number in suite.passed]
        for suite in able:
            red, _ = run_suite(suite.program, suite.name, number, suite.limit())
            if red:
                return red
        return None if able else NOWHERE

    with concurrent.futures.ThreadPoolExecutor(processors()) as pool:
        list(pool.map(judge, mutants))
    return verdicts


def pytest(test, seconds, passed=None, only=None):
    """Which test of the file is red, or None. only: of those whose names contain it."""
    environment = dict(os.environ)
    if passed:  # sitecustomize.py of that folder notes which files run
        environment.update(PYTHONPATH=TRACER, SKINLIGHT_MUTANTS_PASSED=passed, SKINLIGHT_MUTANTS_TREE=TREE)
    command = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", test] + (["-k", only] if only else [])
    try:
        done = subprocess.run(command, cwd=TREE, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds,
                              env=environment)
    except subprocess.TimeoutExpired:
        return f"{test}: hangs"
    if done.returncode == 0 or only and done.returncode == NO_TESTS:
        return None
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.M)
    return failed[1] if failed else test


def python_traced(room):
    """The files of tests, the quickest first, and the files that they run."""
    found = []
    for test in room.test_files(TREE):
        with tempfile.NamedTemporaryFile("r", prefix="skinlight_passed_") as file:
            start = time.monotonic()
            red = pytest(test, 1800, file.name)
            if red:
                raise BadInput(f"{red} is red without any fault")
            found.append(Suite(test, test, time.monotonic() - start, frozenset(file.read().splitlines())))
    return sorted(found, key=lambda suite: suite.seconds)


def python_verdict(site, clean, tests):
    """One fault in a script, under the tests that are named for it or stand beside it, then under the others that run it."""
    path = os.path.join(TREE, site.file)
    able = [suite for suite in tests if site.file in suite.passed]
    with open(path, "wb") as file:
        file.write(plant.edited(clean, [(site.begin, site.end, site.after)]))
    beside = site.file[:-3] + "_test.py"
    named = "/".join(site.file[:-3].split("/")[-2:])
    try:
        steps = [(suite, None) for suite in able if suite.program == beside]
        steps += [(suite, named) for suite in able if suite.program != beside]
        steps += [(suite, None) for suite in able if suite.program != beside]
        for suite, only in steps:
            red = pytest(suite.program, 10 * suite.limit(), only=only)
            if red:
                return red
        return None if able else NOWHERE
    finally:
        with open(path, "wb") as file:
            file.write(clean)


def place(site, clean):
    """What a fault is known by when lines have moved: its file, the text of its line, its change."""
    return site.file, clean[site.file].decode().splitlines()[site.line - 1].strip(), site.operator, site.before, site.after


def told(row):
    """The same of a row of the result."""
    return row["file"], row["on"], row["operator"], row["before"], row["after"]


def equivalents():
    """The reasons why faults that make no difference make none, by their places."""
    with open(os.path.join(ROOT, "ci", "mutate", "equivalents.json")) as file:
        return {(e["file"], e["on"], e["operator"], e["before"], e["after"]): e["reason"] for e in json.load(file)}


def grouped(names):
    """Rooms that the same tests judge are built at once."""
    groups = {}
    for name in names:
        room = rooms.BY_NAME[name]
        groups.setdefault(room.tests or name, []).append(room)
    return list(groups.values())


def mutate(group, count, seed, deadline, before):
    """The rows of rooms that the same tests judge: of what is judged before the deadline. before: tests that are known to be
    red, by place."""
    room_of = {name: room for room in group for name in room.files(TREE)}
    clean = {}
    for name in dict.fromkeys([*room_of, *(room.includer for room in group if room.includer)]):
        with open(os.path.join(TREE, name), "rb") as file:
            clean[name] = file.read()

    known = equivalents()

    def known_before(mutants):
        """Where there is an earlier result: what it has as red, and what makes no difference."""
        same = dict.fromkeys(known) if before else {}
        return {number: (same | before)[place(site, clean)] for number, site in mutants.items()
                if place(site, clean) in same | before}

    def drawn(found):
        return [site for room in group
                for site in plant.disjoint_draw([s for s in found if room_of[s.file] == room], count, seed)]

    if group[0].python:
        found = [s for name in room_of for s in sites.python_sites(name, clean[name].decode())]
        mutants = dict(enumerate(drawn(found), 1))
        verdicts = known_before(mutants)
        tests = python_traced(group[0])
        for number, site in mutants.items():
            if number not in verdicts and time.monotonic() < deadline:
                verdicts[number] = python_verdict(site, clean[site.file], tests)
                progress(group[0], len(verdicts), len(mutants))
    else:
        found = [s for room in group for s in cpp_sites_of(room, configure())]
        try:
            mutants = plant_and_build(group, drawn(found), clean)
            verdicts = known_before(mutants)
            verdicts |= judged(group[0], {number: site for number, site in mutants.items() if number not in verdicts}, deadline)
        finally:
            restored(clean)
    rows = []
    for number, red in sorted(verdicts.items()):
        site = mutants[number]
        reason = known.get(place(site, clean)) or (NOWHERE if red == NOWHERE else None)
        red = None if red == NOWHERE else red
        verdict = "red" if red else "equivalent" if reason not in (None, NOWHERE) else "survived"
        rows.append({"room": room_of[site.file].name, "file": site.file, "line": site.line, "on": place(site, clean)[1],
                     "operator": site.operator, "before": site.before, "after": site.after, "verdict": verdict,
                     **({"test": red} if red else {}), **({"reason": reason} if reason and not red else {})})
    for room in group:
        print(f"{room.name}: {sum(room_of[s.file] == room for s in found)} places, "
              f"{sum(row['room'] == room.name for row in rows)} faults planted and judged", flush=True)
    for row in rows:
        if row["verdict"] == "survived":
            print(f"survived: {row['file']}:{row['line']}: {row['operator']}: {' '.join(row['before'].split())}  ->  "
                  f"{' '.join(row['after'].split())}" + (f" ({row['reason']})" if "reason" in row else ""), flush=True)
    return rows


def scores(rows):
    """Room by room: how many faults were judged, and what became of them."""
    counts = []
    for name in dict.fromkeys(row["room"] for row in rows):
        verdicts = [row["verdict"] for row in rows if row["room"] == name]
        counts.append({"room": name, "judged": len(verdicts), "red": verdicts.count("red"),
                       "equivalent": verdicts.count("equivalent"), "survived": verdicts.count("survived"),
                       "wanted": rooms.BY_NAME[name].target})
    return counts


def share(score):
    """Of the faults that make a difference, those that a test noticed."""
    able = score["judged"] - score["equivalent"]
    return score["red"] / able if able else 1


def summary(rows):
    """Prints the shares; whether every room reaches its own."""
    fine = True
    for score in scores(rows):
        enough = share(score) >= score["wanted"]
        fine = fine and enough
        print(f"{score['room']}: {score['red']} of {score['judged'] - score['equivalent']} red ({share(score):.0%}; wanted "
              f"{score['wanted']:.0%})" + ("" if enough else ": TOO FEW"))
    return fine


def fingerprint(row):
    return hashlib.sha256("\n".join(told(row)).encode()).hexdigest()[:8]


def written(name, kept):
    """Writes the dictionary `kept`, by room, a line each in the order of rooms.py: a list of its values, or itself."""
    text = ",\n".join((f"{json.dumps(room)}: " if name == NOTICED else "") + json.dumps(kept[room])
                      for room in rooms.BY_NAME if room in kept)
    path = os.path.join(ROOT, name)
    with open(path + ".part", "w") as file:
        file.write(f"{{\n{text}\n}}\n" if name == NOTICED else f"[\n{text}\n]\n")
    os.replace(path + ".part", path)


def read(name):
    with open(os.path.join(ROOT, name)) as file:
        return json.load(file)


def keep(rows, seed):
    """Writes the scores of these rooms, and which faults were noticed, over those that were kept of them."""
    kept = {score["room"]: score for score in read(KEPT)}
    kept.update((score["room"], {**score, "seed": seed}) for score in scores(rows))
    written(KEPT, kept)
    noticed = read(NOTICED)
    for name in dict.fromkeys(row["room"] for row in rows):
        by_verdict = {verdict: {fingerprint(row) for row in rows if row["room"] == name and row["verdict"] == verdict}
                      for verdict in ("red", "survived")}  # lines may be alike
        noticed[name] = " ".join(sorted(by_verdict["red"] - by_verdict["survived"]))
    written(NOTICED, noticed)


def judged_rooms():
    """Those whose share on record is what they want: a sample of others would find what is known to be open."""
    return [score["room"] for score in read(KEPT) if share(score) >= rooms.BY_NAME[score["room"]].target]


def chance(rows, survivors):
    """How likely so many of the rows or more survive if every room has just the share that it wants."""
    likely = [1.]  # of each number of survivors
    for row in rows:
        survives = 1 - rooms.BY_NAME[row["room"]].target
        likely = [a * (1 - survives) + b * survives for a, b in zip([*likely, 0.], [0., *likely])]
    return sum(likely[survivors:])


def sample_is_fine(rows):
    """A few faults are no share. What was noticed on record has to be noticed still; of all others too many may not survive:
    more than happens by chance once in a hundred samples."""
    noticed = {(room, one) for room, all_of in read(NOTICED).items() for one in all_of.split()}
    able = [row for row in rows if row["verdict"] != "equivalent"]
    lost = [row for row in able if (row["room"], fingerprint(row)) in noticed and row["verdict"] == "survived"]
    others = [row for row in able if (row["room"], fingerprint(row)) not in noticed]
    for row in lost:
        print(f"was noticed on record, and is not: {row['file']}:{row['line']}: {row['operator']}: "
              f"{' '.join(row['before'].split())}  ->  {' '.join(row['after'].split())}")
    survived = sum(row["verdict"] == "survived" for row in others)
    usual = chance(others, survived) >= ONCE_IN
    print(f"{len(able) - len(others) - len(lost)} faults are noticed as on record; of {len(others)} others {survived} survived"
          + ("" if usual else ": TOO MANY"))
    return not lost and usual


def main():
    wanted = options()
    start = time.monotonic()
    export_tree()
    names = wanted.rooms or list(rooms.BY_NAME)
    count = wanted.mutants
    if wanted.sample:
        count = min(count, OF_SAMPLE)
        if not wanted.rooms:
            names = judged_rooms()
            # Another room with every commit, and the same for the same one.
            random.Random(commit() + str(wanted.seed)).shuffle(names)
            names.sort(key=lambda name: rooms.BY_NAME[name].python)  # minutes per script: what is left
    deadline = start + 60 * wanted.sample if wanted.sample else math.inf
    rows = []
    for group in grouped(names):
        if wanted.sample and rows and time.monotonic() - start > 60 * wanted.sample / 2:
            break  # another room takes about as long as those before
        rows += mutate(group, count, wanted.seed, deadline, wanted.before)
        if wanted.json:  # room by room: an interruption loses the last one only
            with open(wanted.json + ".part", "w") as file:
                json.dump({"seed": wanted.seed, "mutants": rows}, file, indent=1)
            os.replace(wanted.json + ".part", wanted.json)
        if wanted.keep:
            keep(rows, wanted.seed)
    fine = summary(rows)
    if wanted.sample:
        if not rows:
            print("no fault was judged in that time")
        fine = sample_is_fine(rows)
    return 0 if fine else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BadInput as error:
        print(f"ci/mutate.sh: {error}", file=sys.stderr)
        sys.exit(2)
