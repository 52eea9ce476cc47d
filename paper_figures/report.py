"""Collects every experiment of a reproduction into one page, OUT_DIR/index.html.

usage: report.py OUT_DIR [--single-file]

Reads each OUT_DIR/<id>/run.json with its pictures, writes the page, prints the table of claims and, as the last line,
the path of the page. Pictures, tables and videos stay in their folders; what else the page needs lies in OUT_DIR/page/.
  --single-file   all in index.html: to send it, and nothing else, to somebody
Exit code 0: no claim failed; 1: a claim failed; 2: unusable input.
"""

import os
import sys
from pathlib import Path

from common import VERDICTS, run_command
from page import write_page
from runs import all_claims, count_verdicts, expected, load_runs, measured, number, tolerance, was_run


def report(out_dir, single_file=False):
    runs = load_runs(out_dir)
    page = write_page(runs, out_dir, single_file)
    print(claims_table(runs))
    print()
    print(_shown_path(page))
    return 1 if count_verdicts(runs)["failed"] else 0


def claims_table(runs):
    """The claims as aligned text, one line each, and a line of totals."""
    rows = [("experiment", "claim", "kind", "paper", "expected", "tolerance", "ours", "verdict")]
    for run, claim in all_claims(runs):
        rows.append((run["id"], claim["name"], claim["kind"], number(claim["paper_value"]), expected(claim),
                     tolerance(claim), measured(claim), claim["verdict"]))
    rows += [(run["id"], "", "", "", "", "", "", "not run") for run in runs if not was_run(run)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    right = {3, 4, 5, 6}
    rows.insert(1, tuple("-" * width for width in widths))
    lines = ["  ".join(cell.rjust(width) if i in right else cell.ljust(width)
                       for i, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows]
    return "\n".join(lines + ["", totals(runs)])


def totals(runs):
    counts = count_verdicts(runs)
    words = [f"{counts[verdict]} {verdict}" for verdict in VERDICTS]
    not_run = sum(not was_run(run) for run in runs)
    if not_run:
        words.append(f"{not_run} not run")
    return ", ".join(words)


def _shown_path(path):
    """Relative where the reader stands above it, absolute elsewhere."""
    absolute, here = path.resolve(), Path.cwd()
    return os.path.relpath(absolute, here) if absolute.is_relative_to(here) else str(absolute)


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--single-file"]
    single = len(arguments) < len(sys.argv) - 1
    sys.exit(run_command(__doc__, lambda out_dir: report(out_dir, single), arguments))
