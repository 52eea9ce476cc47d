"""Collects every experiment of a reproduction into one page, OUT_DIR/index.html.

usage: report.py OUT_DIR [--single-file]

Reads each OUT_DIR/<id>/run.json with its pictures, writes the page, prints which claims are not reproduced and, as the
last line, the path of the page. Pictures, tables and videos stay in their folders; what else the page needs lies in OUT_DIR/page/.
  --single-file   all in index.html: to send it, and nothing else, to somebody
Exit code 0: no claim failed; 1: a claim failed; 2: unusable input.
"""

import os
import sys
from pathlib import Path

from common import VERDICTS, run_command
from page import write_page
from runs import VERDICT_WORDS, all_claims, by_kind, count_verdicts, load_runs, measured, number, plain_sentence


def report(out_dir, single_file=False):
    runs = load_runs(out_dir)
    page = write_page(runs, out_dir, single_file)
    print(summary(runs))
    print()
    print(_shown_path(page))
    return 1 if count_verdicts(runs)["failed"] else 0


def summary(runs):
    """What is not reproduced, one sentence each, deviations first; then how many claims of each kind have which verdict."""
    parts = []
    for verdict in VERDICTS[:VERDICTS.index("reproduced")]:
        lines = dict.fromkeys(_line(run, claim) for run, claim in all_claims(runs) if claim["verdict"] == verdict)
        if lines:
            parts.append("\n".join([f"{verdict.upper()}. {VERDICT_WORDS[verdict]}", *lines]))
    counts = [f"{label}: " + ", ".join(f"{count} {verdict}" for verdict, count in of_kind.items() if count)
              for label, of_kind in by_kind(runs)]
    return "\n\n".join([*parts, "\n".join(counts)])


def _line(run, claim):
    """Of claims that were not run a line says no more than which experiment and why: they share it."""
    if claim["verdict"] == "not-run":
        return f"  {run['id']}: {plain_sentence(claim)}"
    printed = "" if claim["paper_value"] is None else f", printed {number(claim['paper_value'])}"
    return f"  {run['id']} {claim['name']} (ours {measured(claim)}{printed}): {plain_sentence(claim)}"


def _shown_path(path):
    """Relative where the reader stands above it, absolute elsewhere."""
    absolute, here = path.resolve(), Path.cwd()
    return os.path.relpath(absolute, here) if absolute.is_relative_to(here) else str(absolute)


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--single-file"]
    single = len(arguments) < len(sys.argv) - 1
    sys.exit(run_command(__doc__, lambda out_dir: report(out_dir, single), arguments))
