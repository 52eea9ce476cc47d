"""Which test notices a fault: those that come by its place are run, the quickest first."""
import concurrent.futures
import dataclasses
import math
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

import plant
from workspace import BUILD, TREE, BadInput, processors

TRACER = os.path.join(TREE, "ci", "mutate", "tracer")
MEMORY = 8 << 30  # a test that wants more has a fault
NO_TESTS = 5  # pytest's exit code
NOWHERE = "no test comes by"


def run_limited(command, environment, seconds):
    """(exit code, output, seconds of processor time) of a program that is killed after that much processor time: on a machine
    that is busy with other work nothing hangs for it. After ten times that on the clock it waits for something, and what it
    started is killed with it."""

    def limit():
        # Not of addresses: WebAssembly, in programs that tests ask, sets aside more of those than any machine has.
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 1))

    with tempfile.TemporaryFile("w+", errors="replace") as output:
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.STDOUT, preexec_fn=limit, cwd=BUILD,
                                   start_new_session=True)
        patience = threading.Timer(10 * seconds, os.killpg, (process.pid, signal.SIGKILL))
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


def judged(room, mutants, deadline_of):
    """Runs the tests that come by on every mutant (number: site) that is reached before the deadline (asked for when it is known
    which these are), as many at once as there are processors. By number, which test is red; None where none is; NOWHERE where
    none comes by."""
    tests = traced(room)
    deadline = deadline_of()
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


def left_to_compiler(mutants, verdicts):
    """The faults, of `verdicts`, of constexpr functions that no test runs: called by the compiler only, they cannot be on."""
    return {number for number, red in verdicts.items() if red == NOWHERE and mutants[number].computable}


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
