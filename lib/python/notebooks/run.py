#!/usr/bin/env python3
"""Runs the notebooks of this folder; a cell that raises fails, and one that prints something else than what is kept in the
notebook. With --write what they print and draw is kept in them.

usage: run.py [--write]
"""

import difflib
import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent


def printed(cell):
    """What a cell has said in words, with the marks of its pictures; what it printed may come in any number of pieces."""
    outputs = cell.get("outputs", [])
    return "".join([output.text for output in outputs if output.output_type == "stream"]
                   + [output.data[kind] for output in outputs if "data" in output
                      for kind in ("text/plain", "text/html") if kind in output.data])


def differences(name, kept, ran):
    """Lines that the cells of a notebook print now and did not, and the other way."""
    for number, (before, after) in enumerate(zip(kept.cells, ran.cells)):
        yield from difflib.unified_diff(printed(before).splitlines(), printed(after).splitlines(),
                                        f"{name}, cell {number}, kept", f"{name}, cell {number}, now", lineterm="", n=0)


def main():
    if sys.argv[1:] not in ([], ["--write"]):
        sys.exit(__doc__.strip())
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # no breakpoints are wanted
    stale = []
    for path in sorted(HERE.glob("*.ipynb")):
        kept, notebook = (nbformat.read(path, as_version=4) for _ in range(2))
        # Its own folder: the notebooks find the example character beside them.
        NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": HERE}}).execute()
        print(f"{path.name}: {sum(cell.cell_type == 'code' for cell in notebook.cells)} cells ran")
        if sys.argv[1:]:
            for cell in notebook.cells:
                cell.metadata.pop("execution", None)  # times
            notebook.metadata.pop("widgets", None)
            nbformat.write(notebook, path)
        else:
            stale += differences(path.name, kept, notebook)
    if stale:
        sys.exit("\n".join([*stale, "what the notebooks keep is stale: ci/python.sh --write"]))


if __name__ == "__main__":
    main()
