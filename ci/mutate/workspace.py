"""The copy of the committed sources in which faults are planted, and its build."""
import functools
import io
import json
import os
import re
import shlex
import subprocess
import tarfile

import plant
import sites

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRATCH = os.path.join(ROOT, "build", "mutants")
TREE = os.path.join(SCRATCH, "tree")
BUILD = os.path.join(TREE, "build", "release")  # as in a checkout: ccache knows what has no fault
HEADER = os.path.join(TREE, "ci", "mutate", "mutant.h")
KEPT = "ci/mutate/scores.json"
NOTICED = "ci/mutate/noticed.json"


class BadInput(Exception):
    pass


def processors():
    """How many this process may use, which `taskset` limits, and with it the builds."""
    return len(os.sched_getaffinity(0))


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
    judges = os.path.join("build", "node")  # other programs that tests ask, which ci/setup.sh installs
    if os.path.isdir(os.path.join(ROOT, judges)) and not os.path.lexists(os.path.join(TREE, judges)):
        os.makedirs(os.path.join(TREE, "build"), exist_ok=True)
        os.symlink(os.path.join(ROOT, judges), os.path.join(TREE, judges))


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


def misspelt(group):
    """What the compiler has against the sources of headers that include others in the middle, or None. It makes no code there:
    seconds, where a build that fails makes most of it for minutes, and all of it once more."""
    includers = {os.path.join(TREE, room.includer.replace(".h", ".cpp")) for room in group if room.includer}
    with open(os.path.join(BUILD, "compile_commands.json")) as file:
        commands = [command for command in json.load(file) if command["file"] in includers]
    done = [subprocess.run([*shlex.split(re.sub(r" -o \S+", "", command["command"])), "-fsyntax-only"], cwd=command["directory"],
                           text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for command in commands]
    return "".join(one.stdout for one in done if one.returncode) or None


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
        by_file, lines = {}, {}
        for number, site in mutants.items():
            by_file.setdefault(site.file, []).append((number, site))
        for name, data in clean.items():
            planted = by_file.get(name, [])
            if planted or name in includers:
                data = plant.planted_cpp(data, planted, None if name in inner else HEADER)
            lines |= {number: plant.lines_of(data, number, site) for number, site in planted}
            plant.write(os.path.join(TREE, name), data)
        log = misspelt(group) or build(group[0])
        if log is None:
            return mutants
        with open(os.path.join(SCRATCH, "build.log"), "w") as file:
            file.write(log)
        bad = set()
        for name, line in re.findall(r"([\w./+-]+\.(?:h|cpp|glsl)):(\d+)", log):
            name = os.path.relpath(os.path.join(BUILD, name), TREE)
            for number, site in mutants.items():
                # The compiler may name the line of another part of the statement.
                if site.file == name and lines[number].start - 2 <= int(line) < lines[number].stop + 2:
                    bad.add(number)
        if not bad:
            raise BadInput(f"{names}: does not build with mutants, see build/mutants/build.log")
        for number in bad:
            del mutants[number]
    raise BadInput(f"{names}: does not build with mutants")
