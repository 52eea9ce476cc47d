"""Python starts with it where ci/mutate/run.py asks which files of the tree a file of tests runs: their names, a line each,
are appended to SKINLIGHT_MUTANTS_PASSED, by the tests' process and by those that it starts."""
import os
import sys
import threading

TREE = os.environ.get("SKINLIGHT_MUTANTS_TREE", "")
SEEN = set()


def note(frame, event, argument):
    """Called as each function is; returns no tracer of its lines, which would be slow."""
    name = frame.f_code.co_filename
    if name not in SEEN:
        SEEN.add(name)
        path = os.path.realpath(name)
        if path.startswith(TREE + os.sep) and os.path.isfile(path):
            with open(os.environ["SKINLIGHT_MUTANTS_PASSED"], "a") as file:
                file.write(os.path.relpath(path, TREE) + "\n")


if TREE and "SKINLIGHT_MUTANTS_PASSED" in os.environ:
    TREE = os.path.realpath(TREE)
    threading.settrace(note)
    sys.settrace(note)
